import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderOf } from '../../../test/folder.ts';
import { capture } from './__fixtures__/captured-io.ts';

const chat = {
  id: 'c1',
  messages: [
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: '=Hello' },
  ],
  label: 'pass',
};

async function imported() {
  const folder = folderOf({ 'log.jsonl': JSON.stringify(chat) });
  const runs = ['--runs-folder', join(folder, 'runs')];
  await capture(['import', join(folder, 'log.jsonl'), ...runs]);
  return { folder, runs };
}

test('export prints the messages and labels of a run as JSON Lines', async () => {
  const { runs } = await imported();
  const { code, out, err } = await capture(['export', ...runs]);
  expect([code, err]).toEqual([0, '']);
  expect(JSON.parse(out)).toEqual(chat);
});

test('export writes CSV by the extension of the file, and lists what it cannot express', async () => {
  const { folder, runs } = await imported();
  const file = join(folder, 'out', 'log.csv');
  const { code, out, err } = await capture(['export', '--output', file, ...runs]);
  expect([code, out]).toEqual([0, `Written: ${file}, 1 conversation\n`]);
  expect(err).toBe('Not written:\n  1 × instructions and tools of the agent, left out (first: c1)\n');
  expect(readFileSync(file, 'utf8')).toBe(
    "id,repeat,turn,user,calls,answer,reference,label,reason,group,tags,error\r\nc1,,1,Hi,,'=Hello,,pass,,,,\r\n",
  );
  expect(readdirSync(join(folder, 'out'))).toEqual(['log.csv']);
});

test('export to a folder says so, and writes nothing', async () => {
  const { folder, runs } = await imported();
  const before = readdirSync(folder);
  const { code, err } = await capture(['export', '--output', folder, ...runs]);
  expect([code, err]).toEqual([2, expect.stringContaining('the export could not be written: it is a folder')]);
  expect(readdirSync(folder)).toEqual(before);
});

test('export of a format that does not exist is a usage error', async () => {
  const { code, err } = await capture(['export', '--format', 'xml']);
  expect([code, err]).toEqual([2, expect.stringContaining('messages')]);
});

test('export writes the traces of a scored run, each with an event for a criterion', async () => {
  const log = [
    { ...chat, reference: '=Hello' },
    { ...chat, id: 'c2' },
  ]
    .map((one) => JSON.stringify(one))
    .join('\n');
  const config = JSON.stringify({ criteria: { response_match_score: 0.5 } });
  const folder = folderOf({ 'log.jsonl': log, 'test_config.json': config });
  const runs = ['--runs-folder', join(folder, 'runs')];
  await capture(['import', join(folder, 'log.jsonl'), ...runs]);
  await capture(['score', 'last', '--config-file-path', join(folder, 'test_config.json'), ...runs]);
  const { code, out, err } = await capture(['export', '--format', 'traces', ...runs]);
  expect([code, err]).toEqual([0, expect.stringContaining('2 × labels, left out (first: c1)')]);
  const lines = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const shown = lines.flatMap(({ resourceLogs }, index) => {
    if (resourceLogs === undefined) return [];
    const [root] = lines[index - 1].resourceSpans[0].scopeSpans[0].spans;
    const [{ spanId, attributes }] = resourceLogs[0].scopeLogs[0].logRecords;
    const at = (name: string) => attributes.find(({ key }: { readonly key: string }) => key === name)?.value;
    const [name, score, why] = ['gen_ai.evaluation.name', 'gen_ai.evaluation.score.value', 'error.type'].map(at);
    return [
      { ofRoot: spanId === root.spanId, name: name.stringValue, score: score?.doubleValue, why: why?.stringValue },
    ];
  });
  const own = { ofRoot: true, name: 'response_match_score' };
  expect(shown).toEqual([
    { ...own, score: 1, why: undefined },
    { ...own, score: undefined, why: 'not-applicable' },
  ]);
});

test('export of traces lists scores of single turns, which have no place there', async () => {
  const more = [
    { role: 'user', content: 'And you?' },
    { role: 'assistant', content: 'Fine.' },
  ];
  const log = JSON.stringify({ ...chat, messages: [...chat.messages, ...more] });
  const config = JSON.stringify({ criteria: { response_checks: { threshold: 1, min_words: 1 } } });
  const folder = folderOf({ 'log.jsonl': log, 'test_config.json': config });
  const runs = ['--runs-folder', join(folder, 'runs')];
  await capture(['import', join(folder, 'log.jsonl'), ...runs]);
  await capture(['score', 'last', '--config-file-path', join(folder, 'test_config.json'), ...runs]);
  const { err } = await capture(['export', '--format', 'traces', ...runs]);
  expect(err).toContain('1 × scores of single turns, left out (first: c1)');
});
