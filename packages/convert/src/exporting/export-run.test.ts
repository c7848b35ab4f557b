import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openRun } from '@agent-criteria/runner';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { folderOf } from '../../../../test/folder.ts';
import { runs } from '../../../../test/runs.ts';
import { importRun } from '../importing/import-conversations.ts';
import { type ReadMessages, readMessages } from '../messages/read-messages.ts';
import { type ExportFormat, exportRun } from './export-run.ts';
import { writeMessages } from './write-messages.ts';

const fixture = (name: string) => fileURLToPath(new URL(`../__fixtures__/${name}`, import.meta.url));

/** Imports a file, and exports the run. */
async function roundTrip(file: string, format: ExportFormat) {
  const folder = join(folderOf({}), 'run');
  const imported = await importRun({ files: [file], folder, evalSetId: 'log' });
  const exported = exportRun(openRun(folder), format);
  let text = '';
  for await (const piece of exported.text) text += piece;
  const cases = [];
  for await (const { evalCase, inferences } of openRun(folder).cases()) {
    cases.push({ evalCase, inferences: inferences.map(({ inference }) => inference) });
  }
  return { text, imported, cases, losses: exported.losses() };
}

/** Exports what was exported once more. */
async function again(text: string, format: ExportFormat) {
  const folder = folderOf({});
  const file = join(
    folder,
    { csv: 'log.csv', messages: 'log.jsonl', 'agents-cli': 'log.json', traces: 'log.jsonl' }[format],
  );
  writeFileSync(file, text);
  return roundTrip(file, format);
}

const FIXTURES = [
  'openai-chat.jsonl',
  'ai-sdk.json',
  'responses.jsonl',
  'adk-web-session.json',
  'rows.csv',
  'turns.csv',
  'openai-evals/output-items.json',
  'promptfoo/results.json',
];

describe('exportRun', () => {
  test.each(FIXTURES.flatMap((name) => (['messages', 'csv'] as const).map((format) => [name, format] as const)))(
    'writes %s as %s so that it is imported and exported the same again',
    async (name, format) => {
      const first = await roundTrip(fixture(name), format);
      const second = await again(first.text, format);
      expect(second.text).toBe(first.text);
      expect(second.imported).toMatchObject({ labels: first.imported.labels, turns: first.imported.turns });
    },
  );

  test.each([...FIXTURES, 'trace-of-adk.json'])(
    'writes %s as a dataset of agents-cli that is imported and exported the same again, except for labels',
    async (name) => {
      const first = await roundTrip(fixture(name), 'agents-cli');
      const second = await again(first.text, 'agents-cli');
      expect(second.text).toBe(first.text);
      expect(second.imported).toMatchObject({ turns: first.imported.turns, calls: first.imported.calls });
      const { pass, fail } = first.imported.labels;
      expect(first.losses.find(({ what }) => what === 'labels, left out')?.count ?? 0).toBe(pass + fail);
    },
  );

  test('writes the tools of an agent as OpenAI has them, each with its declaration alone', async () => {
    const { text } = await roundTrip(fixture('trace-of-adk.json'), 'messages');
    const { tools } = JSON.parse(text);
    expect(tools.map((tool: { readonly function: { readonly name: string } }) => tool.function.name)).toEqual([
      'transfer_to_agent',
      'find_slot',
      'book_slot',
    ]);
  });

  test.each(['openai-chat.jsonl', 'ai-sdk.json'])(
    'writes %s as messages that import to the same cases, except for what it lists',
    async (name) => {
      const first = await roundTrip(fixture(name), 'messages');
      const second = await again(first.text, 'messages');
      const withoutCounts = (value: unknown) =>
        JSON.stringify(value).replaceAll(/,?\{"author":"agent","content":null,[^}]*\}[^}]*\}/g, '');
      expect(withoutCounts(second.cases)).toBe(withoutCounts(first.cases));
      expect(second.losses).toEqual([]);
    },
  );

  test('lists what a format cannot express, with a count and an example', async () => {
    const { losses } = await roundTrip(fixture('adk-web-session.json'), 'messages');
    expect(losses).toEqual([{ what: 'token counts of calls to models, left out', count: 2, example: 'session-1' }]);
    const { losses: ofCsv } = await roundTrip(fixture('openai-chat.jsonl'), 'csv');
    expect(ofCsv.map(({ what, count }) => [what, count])).toEqual([
      ['instructions and tools of the agent, left out', 2],
      ['texts before the answer, left out', 1],
      ['files in messages, left out', 1],
    ]);
  });

  test('writes no cell that a spreadsheet would take for a formula, and reads it back unchanged', async () => {
    const rows = ['=1+1', '@cmd', "'=x", '+1', '-2'].map((text) => JSON.stringify({ question: text, answer: text }));
    const { text } = await roundTrip(join(folderOf({ 'a.jsonl': rows.join('\n') }), 'a.jsonl'), 'csv');
    expect(text).not.toMatch(/(^|,)"?[=+@-]/m);
    const { cases } = await again(text, 'csv');
    expect(cases.map(({ inferences }) => inferences[0]?.invocations[0]?.finalResponse?.parts?.[0]?.text)).toEqual([
      '=1+1',
      '@cmd',
      "'=x",
      '+1',
      '-2',
    ]);
  });

  test('writes repeats and errors, which import reads again', async () => {
    const rows = [1, 2].map((repeat) => JSON.stringify({ id: 'a', repeat, question: 'x', answer: `y${repeat}` }));
    const { text } = await roundTrip(join(folderOf({ 'a.jsonl': rows.join('\n') }), 'a.jsonl'), 'csv');
    expect((await again(text, 'csv')).imported).toMatchObject({ cases: 1, repeats: 2 });
    const { text: broken } = await roundTrip(fixture('adk-events.jsonl'), 'messages');
    expect((await again(broken, 'messages')).cases.map(({ inferences }) => inferences[0]?.ending.by)).toEqual([
      'end-of-case',
      'error',
    ]);
  });
});

const word = fc.string({ minLength: 1, maxLength: 12 });
const json = fc.dictionary(fc.string({ maxLength: 5 }), fc.oneof(fc.string(), fc.integer(), fc.boolean()), {
  maxKeys: 3,
});
const user = fc.oneof(
  word.map((content) => ({ role: 'user', content })),
  fc
    .array(word, { minLength: 1, maxLength: 3 })
    .map((texts) => ({ role: 'user', content: texts.map((text) => ({ type: 'text', text })) })),
);
const assistant = fc.record({
  role: fc.constant('assistant'),
  content: fc.oneof(word, fc.constant(null), fc.constant('')),
  reasoning_content: fc.option(word, { nil: undefined }),
  tool_calls: fc.option(
    fc.array(
      fc.record({
        id: word,
        type: fc.constant('function'),
        function: fc.record({
          name: word,
          arguments: fc.oneof(
            json.map((args) => JSON.stringify(args)),
            fc.string(),
          ),
        }),
      }),
      { maxLength: 3 },
    ),
    { nil: undefined },
  ),
});
const tool = fc.record({
  role: fc.constant('tool'),
  tool_call_id: word,
  content: fc.oneof(
    fc.string(),
    json.map((value) => JSON.stringify(value)),
  ),
});
const messages = fc.array(fc.oneof(user, assistant, tool), { maxLength: 12 });

test('messages that are read, written and read again give the same turns', () => {
  const read = (list: readonly unknown[]): ReadMessages => readMessages(list, { onLoss: () => undefined });
  fc.assert(
    fc.property(messages, (list) => {
      const { turns } = read(list);
      const written = writeMessages(turns, () => undefined);
      const { turns: second } = read(written);
      expect(writeMessages(second, () => undefined)).toEqual(written);
      expect(second).toEqual(turns);
    }),
    { numRuns: runs(2000) },
  );
});
