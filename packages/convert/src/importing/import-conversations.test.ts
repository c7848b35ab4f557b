import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CriteriaError, contentText, toolCalls } from '@agent-criteria/core';
import { parseEvalSet, writeEvalSet } from '@agent-criteria/formats/parse';
import { openRun, readLabels } from '@agent-criteria/runner';
import { describe, expect, test } from 'vitest';
import { folderOf } from '../../../../test/folder.ts';
import { type ImportRunOptions, importCases, importRun } from './import-conversations.ts';

const fixture = (name: string) => fileURLToPath(new URL(`../__fixtures__/${name}`, import.meta.url));

async function run(file: string, more: Partial<ImportRunOptions> = {}) {
  const folder = join(folderOf({}), 'run');
  const imported = await importRun({ files: [file], folder, ...more });
  const opened = openRun(folder);
  const cases = [];
  for await (const one of opened.cases()) cases.push(one);
  return { imported, folder, opened, cases, ids: cases.map(({ evalCase }) => evalCase.evalId) };
}

describe('importRun', () => {
  test('makes a run of conversations with their labels', async () => {
    const { imported, opened, cases, folder, ids } = await run(fixture('openai-chat.jsonl'), {
      by: 'ada',
      name: 'log',
    });
    expect(imported).toMatchObject({ conversations: 3, turns: 4, calls: 2, cases: 3, labels: { pass: 1, fail: 1 } });
    expect(opened.info).toMatchObject({ name: 'log', agent: fixture('openai-chat.jsonl'), scoring: 0 });
    expect(opened.sets.map(({ id }) => id)).toEqual(['openai_chat']);
    expect(ids).toEqual(['chat-1', 'chat-2', 'chat-3']);
    const [first] = cases;
    expect(first?.evalCase.conversation?.map(({ userContent }) => contentText(userContent))).toEqual([
      'How warm is the kitchen?',
      'Thanks!',
    ]);
    // Nothing is expected that the file does not state.
    expect(first?.evalCase.agentCriteria).toEqual({ calls_not_stated: [0, 1] });
    expect(first?.inferences[0]?.inference.invocations.flatMap(toolCalls).map(({ name }) => name)).toEqual([
      'get_temperature',
    ]);
    expect(readLabels(folder, 1).map(({ caseId, label, reason, by }) => [caseId, label, reason, by])).toEqual([
      ['chat-1', 'pass', 'right', 'ada'],
      ['chat-2', 'fail', null, 'ada'],
    ]);
  });

  test('records a conversation that broke as an error, with the state before and after', async () => {
    const { cases } = await run(fixture('adk-events.jsonl'));
    expect(cases.map(({ inferences }) => inferences[0]?.inference.ending.by)).toEqual(['end-of-case', 'error']);
    const { cases: ofSession } = await run(fixture('adk-web-session.json'));
    expect(ofSession[0]?.inferences[0]?.inference.state).toEqual({
      initial: { unit: 'C' },
      final: { unit: 'C', room: 'kitchen' },
    });
  });

  test('numbers ids that occur twice, names those that are missing, and says so', async () => {
    const rows = [{ id: 'a' }, { id: 'a' }, {}].map((row) => JSON.stringify({ ...row, question: 'x', answer: 'y' }));
    const { ids, imported } = await run(join(folderOf({ 'my log.jsonl': rows.join('\n') }), 'my log.jsonl'));
    expect(ids).toEqual(['a', 'a (2)', 'my log-3']);
    expect(imported.losses.map(({ what, count }) => [what, count])).toEqual([
      ['ids that an earlier conversation has, which got a number', 1],
    ]);
    expect(imported.evalSetId).toBe('my_log');
  });

  test('takes repeats of a case', async () => {
    const rows = [1, 2].map((repeat) => JSON.stringify({ id: 'a', repeat, question: 'x', answer: `y${repeat}` }));
    const { cases, imported } = await run(join(folderOf({ 'a.jsonl': rows.join('\n') }), 'a.jsonl'));
    expect(imported).toMatchObject({ cases: 1, repeats: 2 });
    const answers = cases[0]?.inferences.map(({ inference }) => contentText(inference.invocations[0]?.finalResponse));
    expect(answers).toEqual(['y1', 'y2']);
  });

  test('leaves no run behind where a file has a mistake or no answers', async () => {
    for (const text of ['{"question":"x","answer":"y"}\n{', '{"question":"x"}\n{"question":"y"}']) {
      const folder = folderOf({ 'a.jsonl': text });
      const failed = importRun({ files: [join(folder, 'a.jsonl')], folder: join(folder, 'run') });
      await expect(failed).rejects.toSatisfy((error) => CriteriaError.is(error));
      expect(existsSync(join(folder, 'run', 'plan.json'))).toBe(false);
    }
  });

  test('masks secrets in messages and in answers', async () => {
    const key = 'sk-proj-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGh';
    const file = join(folderOf({ 'a.json': [{ question: `Use ${key}`, answer: `I used ${key}` }] }), 'a.json');
    const { folder } = await run(file);
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true });
    const texts = files
      .filter((one) => one.isFile())
      .map((one) => readFileSync(join(one.parentPath, one.name), 'utf8'));
    expect(texts.join('\n')).toContain('[masked: ');
    expect(texts.join('\n')).not.toContain('sk-proj');
  });
});

describe('importCases', () => {
  const text = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      JSON.stringify({ question: `q${index % 10}`, answer: `a${index}` }),
    ).join('\n');
  const cases = async (content: string, more = {}) =>
    importCases({ files: [join(folderOf({ 'a.jsonl': content }), 'a.jsonl')], ...more });

  test('expects again what the agent did, in the form of ADK', async () => {
    const { evalSet, losses } = await importCases({
      files: [fixture('openai-chat.jsonl'), fixture('adk-events.jsonl')],
    });
    expect(evalSet.evalCases.map(({ evalId }) => evalId)).toEqual(['chat-1', 'chat-2', 'chat-3', 's1']);
    expect(losses.map(({ what }) => what)).toContain('conversations that broke, left out');
    const [first] = parseEvalSet(writeEvalSet(evalSet)).value.evalCases;
    expect(first?.conversation?.map((turn) => [contentText(turn.finalResponse), toolCalls(turn).length])).toEqual([
      ['The kitchen is at 21 °C.', 1],
      ['You are welcome.', 0],
    ]);
  });

  test('prefers what the file says is expected, and states no calls where it says nothing', async () => {
    const { evalSet } = await cases('{"question":"x","expected":"y"}');
    expect(evalSet.evalCases[0]).toMatchObject({
      conversation: [{ finalResponse: { role: 'model', parts: [{ text: 'y' }] } }],
      agentCriteria: { calls_not_stated: [0] },
    });
    const { evalSet: other } = await cases(
      '{"question":"x","answer":"z","expected":"y","expected_calls":[{"name":"f","args":{}}]}',
    );
    expect(other.evalCases[0]?.conversation?.[0]).toMatchObject({ intermediateData: { toolUses: [{ name: 'f' }] } });
  });

  test('draws the same sample for the same seed, in the order of the file', async () => {
    const idsOf = async (seed: string) =>
      (await cases(text(100), { sample: 5, seed })).evalSet.evalCases.map((one) =>
        contentText(one.conversation?.[0]?.finalResponse),
      );
    const ids = await idsOf('1');
    expect(ids).toHaveLength(5);
    expect(await idsOf('1')).toEqual(ids);
    expect(await idsOf('2')).not.toEqual(ids);
    expect(ids.map((id) => Number(id.slice(1)))).toEqual(ids.map((id) => Number(id.slice(1))).sort((a, b) => a - b));
  });

  test('leaves out duplicates and what does not fit, and counts them', async () => {
    const { evalSet, leftOut } = await cases(text(30), { unique: true, grep: ['Q1', 'q2'] });
    expect(evalSet.evalCases).toHaveLength(2);
    expect(leftOut).toEqual({ filtered: 24, duplicates: 4, notSampled: 0 });
    await expect(cases(text(3), { grep: ['nothing'] })).rejects.toThrow('no conversation is left');
  });
});

const evidence = fileURLToPath(new URL('../../../../../shared/evidence/', import.meta.url));

describe.skipIf(!existsSync(evidence))('public data in ../shared/evidence', () => {
  test('tau-airline becomes a run with its labels', async () => {
    const { imported } = await run(join(evidence, 'tau-airline/data.jsonl'), { stop: '###STOP###' });
    expect(imported).toMatchObject({ conversations: 104, calls: 544, labels: { pass: 39, fail: 65 } });
  });

  test('qa-eval becomes a run with the labels of every answer', async () => {
    const columns = ['answer=$.answers[*].text', 'label=$.answers[*].correct'];
    const { imported } = await run(join(evidence, 'qa-eval/data.jsonl'), { columns, where: ['set=nq'], sample: 500 });
    expect(imported).toMatchObject({ conversations: 500, losses: [] });
    expect(imported.labels.pass + imported.labels.fail).toBe(500);
  });
});
