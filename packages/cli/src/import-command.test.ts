import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderOf } from '../../../test/folder.ts';
import { capture } from './__fixtures__/captured-io.ts';

const chat = (id: number, answer: string, label: string) => ({
  id: `c${id}`,
  messages: [
    { role: 'user', content: `Question ${id}` },
    { role: 'assistant', content: answer },
  ],
  label,
});

const lines = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    JSON.stringify(chat(index, index % 4 === 0 ? 'no idea' : 'It is 21.', index % 4 === 0 ? 'fail' : 'pass')),
  ).join('\n');

test('a log becomes a scored, labelled and calibrated run in three commands', async () => {
  const config = { criteria: { response_checks: { threshold: 1, contains: '21' } } };
  const folder = folderOf({ 'log.jsonl': lines(8), 'test_config.json': config });
  const runs = ['--runs-folder', join(folder, 'runs')];
  const imported = await capture(['import', join(folder, 'log.jsonl'), '--name', 'the log', ...runs]);
  expect(imported.code).toBe(0);
  expect(imported.out).toContain('message lists, JSON Lines');
  expect(imported.out).toContain('columns: id=$.id, messages=$.messages, label=$.label');
  expect(imported.out).toContain('Read: 8 conversations, 8 turns, 0 tool calls');
  expect(imported.out).toContain('Labels: 6 pass, 2 fail');
  const scored = await capture(['score', '--config-file-path', join(folder, 'test_config.json'), ...runs]);
  expect(scored.out).toContain('6 passed, 2 failed of 8 cases');
  const calibrated = await capture(['calibrate', ...runs]);
  expect(calibrated.out).toContain('run and people agree on 100%');
});

test('import --cases writes an eval set, and never overwrites one unasked', async () => {
  const folder = folderOf({ 'log.jsonl': lines(10) });
  const file = join(folder, 'log.evalset.json');
  const args = ['import', join(folder, 'log.jsonl'), '--cases', file, '--sample', '3'];
  const written = await capture(args);
  expect([written.code, written.out]).toEqual([0, expect.stringContaining('7 conversations not drawn')]);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ eval_set_id: 'log', eval_cases: { length: 3 } });
  const again = await capture(args);
  expect([again.code, again.err]).toEqual([2, expect.stringContaining('exists already')]);
  expect((await capture([...args, '--force'])).code).toBe(0);
});

test('import --dry-run shows columns and the first conversation, and writes nothing', async () => {
  const folder = folderOf({ 'log.csv': 'question,answer\nHow warm is it?,21\n' });
  const runs = join(folder, 'runs');
  const shown = await capture(['import', join(folder, 'log.csv'), '--dry-run', '--runs-folder', runs]);
  expect(shown.code).toBe(0);
  expect(shown.out).toContain('columns: user=$.question, answer=$.answer');
  expect(shown.out).toMatch(/user +How warm is it\?/);
  expect(existsSync(runs)).toBe(false);
});

test('import of a file with mistakes names each, and leaves no run', async () => {
  const folder = folderOf({ 'log.jsonl': `${lines(2)}\n{"id":\n${lines(1)}\n[1` });
  const runs = join(folder, 'runs');
  const failed = await capture(['import', join(folder, 'log.jsonl'), '--runs-folder', runs]);
  expect(failed.code).toBe(2);
  expect(failed.err).toMatch(/line 3.*line 5/s);
  expect(readdirSync(runs)).toEqual([]);
});

test('import --json prints the numbers, the columns and the losses', async () => {
  const folder = folderOf({ 'log.jsonl': JSON.stringify({ ...chat(1, 'x', 'meh') }) });
  const printed = await capture(['import', join(folder, 'log.jsonl'), '--json', '--runs-folder', join(folder, 'runs')]);
  expect(JSON.parse(printed.out)).toMatchObject({
    eval_set_id: 'log',
    conversations: 1,
    files: [{ format: 'messages', text: 'jsonl' }],
    losses: [],
  });
});

const items = ['Oslo', 'Rome', 'Bern'].map((city, index) => ({
  object: 'eval.run.output_item',
  eval_id: 'e',
  datasource_item_id: index,
  status: 'pass',
  datasource_item: { question: `Capital ${index}?`, city },
  results: [{ name: 'right', passed: city !== 'Rome', score: city === 'Rome' ? 0 : 1 }],
  sample: {
    input: [{ role: 'user', content: `Capital ${index}?` }],
    output: [{ role: 'assistant', content: city === 'Rome' ? 'Milan' : `It is ${city}.` }],
  },
}));
const evaluation = {
  object: 'eval',
  id: 'e',
  name: 'capitals',
  data_source_config: { type: 'custom' },
  testing_criteria: [
    ...[
      {
        type: 'string_check',
        name: 'right',
        operation: 'like',
        input: '{{sample.output_text}}',
        reference: '{{item.city}}',
      },
    ],
    { type: 'python', name: 'code', source: 'def grade(sample, item): return 1' },
  ],
};

test('an eval of OpenAI becomes cases and a config by which eval judges, and its results are judged as they were', async () => {
  const folder = folderOf({
    'eval.json': evaluation,
    'items.json': { object: 'list', data: items },
    'agent.mjs': `export default (text) => text.includes('1') ? 'Rome' : 'I do not know'`,
  });
  const [files, runs] = [
    ['eval.json', 'items.json'].map((name) => join(folder, name)),
    ['--runs-folder', join(folder, 'runs')],
  ];
  const [set, config] = [join(folder, 'capitals.evalset.json'), join(folder, 'capitals_config.json')];
  const written = await capture(['import', ...files, '--cases', set]);
  expect([written.code, written.err]).toEqual([0, '']);
  expect(written.out).toContain('1 × string_check like "right" → response_checks (contains)');
  expect(written.out).toContain('the grader "code" (python), not converted');
  expect(written.out).toContain(`--config-file-path ${config}`);
  const judged = await capture(['eval', join(folder, 'agent.mjs'), set]);
  expect(judged.out).toContain('1 passed, 2 failed of 3 cases');
  await capture(['import', ...files, ...runs]);
  await capture(['score', '--config-file-path', config, ...runs]);
  expect((await capture(['calibrate', ...runs])).out).toContain('run and people agree on 100%');
});

test('import --cases never overwrites the config of another set unasked', async () => {
  const set = join(folderOf({}), 'a.evalset.json');
  const folder = folderOf({ 'e.json': evaluation, 'i.json': items, 'a_config.json': { criteria: {} } });
  const args = ['import', join(folder, 'e.json'), join(folder, 'i.json'), '--cases', join(folder, 'a.evalset.json')];
  const refused = await capture(args);
  expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('a_config.json exists already')]);
  expect([existsSync(join(folder, 'a.evalset.json')), existsSync(set)]).toEqual([false, false]);
  const { code, out } = await capture([...args, '--force', '--json']);
  expect([code, JSON.parse(out)]).toEqual([
    0,
    expect.objectContaining({
      config_file: join(folder, 'a_config.json'),
      criteria: [{ from: 'string_check like "right"', to: 'response_checks (contains)', difference: null, count: 1 }],
    }),
  ]);
});

test.each([
  [[], 'name the files'],
  [['a', '--seed', '3'], '--seed is for --sample'],
  [['a', '--force'], '--force is for the file of --cases'],
  [['a', '--cases', 'b', '--by', 'ada'], '--name and --by are for runs'],
  [['a', '--as', 'xml'], '--as'],
])('import %j is a usage error', async (args, message) => {
  const { code, err } = await capture(['import', ...args]);
  expect([code, err]).toEqual([2, expect.stringContaining(message)]);
});
