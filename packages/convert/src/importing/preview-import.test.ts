import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { folderOf } from '../../../../test/folder.ts';
import { importCases } from './import-conversations.ts';
import { previewImport } from './preview-import.ts';

const cwd = fileURLToPath(new URL('../__fixtures__/', import.meta.url));

describe('previewImport', () => {
  test('counts all conversations and shows the first, with the labels and what would be lost', async () => {
    const preview = await previewImport({ files: ['openai-chat.jsonl'], cwd }, 2);
    const { files, conversations, turns, calls, labels, answered, first, problems, losses } = preview;
    expect({ conversations, turns, calls, labels, answered, problems }).toEqual({
      conversations: 3,
      turns: 4,
      calls: 2,
      labels: { pass: 1, fail: 1 },
      answered: 4,
      problems: [],
    });
    // The name is the one that was given, not that of a folder on the way to it.
    expect(files).toMatchObject([{ file: 'openai-chat.jsonl', format: 'messages', text: 'jsonl' }]);
    expect(first).toHaveLength(2);
    expect(first[0]).toMatchObject({
      id: 'chat-1',
      where: 'openai-chat.jsonl, line 1',
      label: 'pass',
      turns: [
        {
          user: 'How warm is the kitchen?',
          calls: [{ name: 'get_temperature', args: { room: 'kitchen' } }],
          answer: 'The kitchen is at 21 °C.',
        },
        { user: 'Thanks!', calls: [], answer: 'You are welcome.' },
      ],
    });
    expect(losses.map(({ example }) => example).join()).not.toContain(cwd);
  });

  test('returns the mistakes of a file beside what could be read', async () => {
    const folder = folderOf({
      'a.jsonl': '{"question":"x","answer":"y"}\n{"question":\n{"question":"z","answer":"y"}',
    });
    const preview = await previewImport({ files: ['a.jsonl'], cwd: folder });
    expect(preview).toMatchObject({ conversations: 2, files: [{ columns: { user: '$.question' } }] });
    expect(preview.problems).toMatchObject([{ file: 'a.jsonl', path: 'line 2' }]);
    const without = await previewImport({ files: ['a.jsonl'], cwd: folder, skipInvalid: true });
    expect([without.problems, without.losses.length]).toEqual([[], 1]);
  });

  test('shows what is left of the choice that was made', async () => {
    const rows = Array.from({ length: 20 }, (_, at) => JSON.stringify({ question: `q${at % 10}`, answer: `a${at}` }));
    const preview = await previewImport({
      files: ['a.jsonl'],
      cwd: folderOf({ 'a.jsonl': rows.join('\n') }),
      unique: true,
      sample: 3,
    });
    expect(preview).toMatchObject({
      conversations: 3,
      leftOut: { filtered: 0, duplicates: 10, notSampled: 7 },
      evalSetId: 'a',
    });
    expect(preview.first).toHaveLength(3);
  });

  test('ends when it is aborted', async () => {
    const end = new AbortController();
    const reading = previewImport({
      files: ['openai-chat.jsonl'],
      cwd,
      signal: end.signal,
      onConversation: () => end.abort(new Error('enough')),
    });
    await expect(reading).rejects.toThrow('enough');
  });
});

test('a file is found in the folder that names are relative to, and its errors name it as it was given', async () => {
  const folder = folderOf({ 'in/a.json': [{ question: 'x', answer: 'y' }] });
  const { evalSet } = await importCases({ files: ['a.json'], cwd: join(folder, 'in') });
  expect(evalSet.evalSetId).toBe('a');
  await expect(importCases({ files: ['b.json'], cwd: folder })).rejects.toMatchObject({
    problems: [{ code: 'FILE_NOT_FOUND', file: 'b.json' }],
  });
});
