import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { EvalCase } from '@agent-criteria/core';
import { evalCase, message, turn } from '@agent-criteria/core/eval-set';
import { expect, test } from 'vitest';
import { folderOf } from '../../../test/folder.ts';
import { readLabels } from './run-folder/labels.ts';
import { openRun } from './run-folder/open-run.ts';
import { type RecordedConversation, saveConversations } from './save-conversations.ts';

const said = (text: string) => ({ userContent: message('user', 'Hi'), finalResponse: message('model', text) });

function conversation(id: string, more: Partial<RecordedConversation> = {}): RecordedConversation {
  return {
    evalCase: evalCase(id, [turn('Hi')]),
    inference: {
      sessionId: id,
      invocations: [said('Hello')],
      state: { initial: null, final: null },
      ending: { by: 'end-of-case' },
    },
    ...more,
  };
}

async function collected<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const options = (folder: string) => ({ folder: join(folder, 'run'), evalSetId: 'log', agent: 'log.jsonl' });

test('saveConversations makes a run that opens like any other, with its cases in order', async () => {
  const folder = folderOf({});
  const saved = await saveConversations({ ...options(folder), conversations: [conversation('b'), conversation('a')] });
  expect(saved).toEqual({ cases: 2, repeats: 1, labels: 0, found: 0 });
  const run = openRun(join(folder, 'run'));
  const cases = await collected(run.cases());
  expect(cases.map((one) => one.evalCase.evalId)).toEqual(['b', 'a']);
  expect(cases[0]?.inferences[0]?.inference.invocations[0]?.finalResponse).toEqual(message('model', 'Hello'));
  expect(run.info).toMatchObject({ agent: 'log.jsonl', repeats: 1, scoring: 0 });
});

test('saveConversations keeps labels, which count for every scoring', async () => {
  const folder = folderOf({});
  const label = { label: 'fail', reason: 'rude', by: 'ada', at: 5 } as const;
  await saveConversations({ ...options(folder), conversations: [conversation('a', { label })] });
  const about = { setId: 'log', caseId: 'a', repeat: 0, turn: null, criterion: null, rubric: null };
  for (const scoring of [1, 2]) expect(readLabels(join(folder, 'run'), scoring)).toEqual([{ ...about, ...label }]);
});

test('saveConversations takes repeats of a case in any order, and the case of the first one', async () => {
  const folder = folderOf({});
  const [second, first] = [conversation('a', { repeat: 1 }), conversation('a', { repeat: 0 })];
  const saved = await saveConversations({ ...options(folder), conversations: [second, first] });
  expect(saved).toMatchObject({ cases: 1, repeats: 2 });
  const [one] = await collected(openRun(join(folder, 'run')).cases());
  expect(one?.inferences.map(({ key }) => key.repeat)).toEqual([0, 1]);
});

test.each([
  ['two conversations of one unit', [conversation('a'), conversation('a')], 'USAGE'],
  ['cases with different repeats', [conversation('a'), conversation('a', { repeat: 1 }), conversation('b')], 'USAGE'],
  ['no conversation', [], 'EMPTY'],
])('saveConversations refuses %s, and leaves no run', async (_what, conversations, code) => {
  const folder = folderOf({});
  await expect(saveConversations({ ...options(folder), conversations })).rejects.toMatchObject({ code });
  expect(existsSync(join(folder, 'run', 'plan.json'))).toBe(false);
  expect(readdirSync(join(folder, 'run', 'blobs'))).toEqual([]);
});

test('saveConversations masks secrets in cases as in inferences, so that both stay alike', async () => {
  const folder = folderOf({});
  const text = 'my key is sk-proj-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGh';
  const evil: EvalCase = evalCase('a', [turn(text)]);
  const inference = {
    ...conversation('a').inference,
    invocations: [{ userContent: message('user', text), finalResponse: null }],
  };
  await saveConversations({ ...options(folder), conversations: [{ evalCase: evil, inference }] });
  const [one] = await collected(openRun(join(folder, 'run')).cases());
  expect(JSON.stringify(one)).not.toContain('sk-proj');
  expect(one?.evalCase.conversation?.[0]?.userContent).toEqual(
    one?.inferences[0]?.inference.invocations[0]?.userContent,
  );
});

test('saveConversations does not touch a folder that holds a run', async () => {
  const folder = folderOf({});
  await saveConversations({ ...options(folder), conversations: [conversation('a')] });
  const again = saveConversations({ ...options(folder), conversations: [conversation('b')] });
  await expect(again).rejects.toMatchObject({ code: 'RUN_CHANGED' });
  expect((await collected(openRun(join(folder, 'run')).cases())).map((one) => one.evalCase.evalId)).toEqual(['a']);
});
