import { join } from 'node:path';
import { writeEvalSet } from '@agent-criteria/core';
import { evalCase, evalSet } from '@agent-criteria/core/testing';
import { describe, expect, it } from 'vitest';
import { folderOf } from '../__fixtures__/folder.ts';
import { loadEvalSet } from './load-eval-set.ts';

const turns = [{ query: 'Hi', reference: 'Hello', expected_tool_use: [] }];

describe('loadEvalSet', () => {
  it('reads an eval set in either spelling', async () => {
    const set = evalSet([evalCase('a', [{ user: 'Hi', answer: 'Hello' }])]);
    const folder = folderOf({ 'camel.json': set, 'snake.json': writeEvalSet(set) });
    for (const name of ['camel.json', 'snake.json']) expect((await loadEvalSet(join(folder, name))).value).toEqual(set);
  });

  it.each(['old.test.json', 'old.evalset.json', 'old.json'])(
    'migrates old data, named after its file: %s',
    async (name) => {
      const { value } = await loadEvalSet(join(folderOf({ [name]: turns }), name));
      expect(value.evalSetId).toBe('old');
      expect(value.evalCases).toMatchObject([
        { evalId: 'old', conversation: [{ userContent: { parts: [{ text: 'Hi' }] } }] },
      ]);
    },
  );

  it('names the file in every problem and every warning', async () => {
    const folder = folderOf({
      'bad.json': { eval_set_id: 5, eval_cases: [{ eval_id: 'a', conversation: [] }] },
      'odd.json': `{"eval_set_id": "s", "eval_cases": [{"eval_id": "a", "colour": 12345678901234567890, "conversation": [{"user_content": {}}]}], }`,
    });
    const bad = loadEvalSet(join(folder, 'bad.json'));
    await expect(bad).rejects.toMatchObject({
      problems: [
        { file: join(folder, 'bad.json'), path: '$.eval_set_id' },
        { file: join(folder, 'bad.json'), path: '$.eval_cases[0].conversation' },
      ],
    });
    const { warnings } = await loadEvalSet(join(folder, 'odd.json'));
    expect(warnings.map(({ file, path }) => [file, path])).toEqual([
      [join(folder, 'odd.json'), undefined],
      [join(folder, 'odd.json'), '$.eval_cases[0].colour'],
    ]);
  });

  it.each([
    ['{"eval_set_id": "s", "eval_cases": [], "__proto__": {"polluted": true}}', '$'],
    [
      '{"eval_set_id": "s", "eval_cases": [{"eval_id": "a", "session_input": {"app_name": "a", "user_id": "u", "state": {"__proto__": {}}}, "conversation": [{"user_content": {}}]}]}',
      'state',
    ],
    ['[{"query": "q", "__proto__": {}}]', '$[0]'],
  ])('refuses keys of the prototype, with their place: %s', async (text, path) => {
    for (const whole of [text, `// with a comment\n${text}`]) {
      const file = join(folderOf({ 'a.json': whole }), 'a.json');
      const error = await loadEvalSet(file).catch((thrown: unknown) => thrown);
      const unsafe = (error as { problems: { code: string; path: string; file: string }[] }).problems.find(
        ({ code }) => code === 'UNSAFE_KEY',
      );
      expect(unsafe).toMatchObject({ file, path: expect.stringContaining(path) });
    }
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it('refuses a file that nests without end', async () => {
    const file = join(
      folderOf({ 'a.json': `{"eval_set_id": ${'['.repeat(100_000)}${']'.repeat(100_000)}, "eval_cases": []}` }),
      'a.json',
    );
    await expect(loadEvalSet(file)).rejects.toMatchObject({
      code: expect.any(String),
      message: expect.stringContaining(file),
    });
  });
});
