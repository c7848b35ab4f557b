import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CriteriaError, contentText, toolSteps } from '@agent-criteria/core';
import { modelEvents } from '@agent-criteria/core/usage';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { folderOf } from '../../../../test/folder.ts';
import { runs } from '../../../../test/runs.ts';
import type { Conversation } from '../conversation.ts';
import { importCases } from '../importing/import-conversations.ts';
import { openConversations } from '../open-conversations.ts';
import type { OpenConversationsOptions } from '../open-options.ts';
import { readAtif } from './read-atif.ts';

const fixture = fileURLToPath(new URL('../__fixtures__/atif.json', import.meta.url));

async function readFile(file: string, more: Partial<OpenConversationsOptions> = {}) {
  const opened = openConversations({ files: [file], ...more });
  const all: Conversation[] = [];
  for await (const one of opened.conversations) all.push(one);
  return { all, losses: opened.losses().map(({ what, count }) => `${count} × ${what}`), file: opened.files[0] };
}

const fileOf = (...trajectories: readonly object[]) =>
  join(folderOf({ 'a.jsonl': trajectories.map((one) => JSON.stringify(one)).join('\n') }), 'a.jsonl');

const trajectory = (...steps: readonly object[]) => ({
  schema_version: 'ATIF-v1.4',
  session_id: 's',
  agent: { name: 'desk', version: '1' },
  steps: steps.map((step, index) => ({ step_id: index + 1, ...step })),
});
const user = (message: string, more: object = {}) => ({ source: 'user', message, ...more });
const agent = (message: string, more: object = {}) => ({ source: 'agent', message, ...more });

/** A turn as texts, with the author of each step. */
function shown({ turns }: Conversation): readonly string[] {
  return turns.flatMap(({ userContent, intermediateData, finalResponse }) => [
    `user: ${contentText(userContent)}`,
    ...(intermediateData && 'invocationEvents' in intermediateData ? (intermediateData.invocationEvents ?? []) : [])
      .filter(({ content }) => content)
      .flatMap(({ author, content }) =>
        (content?.parts ?? []).map(({ text, thought, functionCall: call, functionResponse: result }) => {
          if (call) return `${author}: ${call.name}(${JSON.stringify(call.args)})`;
          if (result) return `${author}: = ${JSON.stringify(result.response)}`;
          return `${author}: ${thought === true ? '(thought) ' : ''}${text}`;
        }),
      ),
    `answer: ${contentText(finalResponse)}`,
  ]);
}

describe('a trajectory of ATIF', () => {
  test('is read with calls, observations, tokens, times, instructions, tools and the steps of other agents', async () => {
    const { all, losses, file } = await readFile(fixture);
    expect(file?.format).toBe('atif');
    const [one] = all;
    if (one === undefined) throw new Error('nothing was read');
    expect(shown(one)).toEqual([
      'user: My toaster is broken.',
      'repair-desk: (thought) A slot is needed.',
      'repair-desk: I look for a slot.',
      'repair-desk: find_slot({"item":"toaster"})',
      'repair-desk: ask_parts({"item":"toaster"})',
      'repair-desk: = {"free":true,"slot":"Saturday 10:00"}',
      'parts-desk: stock({"part":"coil"})',
      'parts-desk: = {"result":"3"}',
      'parts-desk: in stock',
      'repair-desk: = {"result":"in stock"}',
      'answer: Saturday 10:00 is free. Shall I book it?',
      'user: Yes, please.',
      'answer: Booked.',
    ]);
    expect(one).toMatchObject({
      id: 't-100',
      startedAt: Date.parse('2026-11-20T10:00:00Z'),
      endedAt: Date.parse('2026-11-20T10:01:03Z'),
    });
    const [turn] = one.turns;
    const counts = modelEvents(turn ?? { userContent: {} })?.map(({ author, usageMetadata }) => [
      author,
      usageMetadata,
    ]);
    expect(counts).toEqual([
      [
        'repair-desk',
        { promptTokenCount: 100, cachedContentTokenCount: 60, candidatesTokenCount: 20, totalTokenCount: 120 },
      ],
      ['parts-desk', undefined],
      ['repair-desk', { promptTokenCount: 150, candidatesTokenCount: 15, totalTokenCount: 165 }],
    ]);
    expect(turn?.appDetails?.agentDetails?.['repair-desk']).toMatchObject({
      instructions: 'You book repairs.',
      toolDeclarations: [{ functionDeclarations: [{ name: 'find_slot' }] }],
    });
    expect(losses).toEqual([
      '1 × the key "notes" of trajectories, left out',
      '2 × costs, left out',
      '1 × messages that other agents were sent, left out',
    ]);
  });

  test('of another version 1 is read, one of version 2 is not', async () => {
    const { all } = await readFile(fileOf(trajectory(user('Hi'), agent('Hello'))));
    expect(all.map(({ id }) => id)).toEqual(['s']);
    const later = { ...trajectory(user('Hi'), agent('Hello')), schema_version: 'ATIF-v2.0' };
    const error: unknown = await readFile(fileOf(later), { as: 'atif' }).catch((reason: unknown) => reason);
    expect(CriteriaError.is(error) && error.message).toContain('ATIF-v1');
  });

  test('without a message of the user is an error, or left out and counted', async () => {
    const file = fileOf(trajectory(user('Hi'), agent('Hello')), trajectory(agent('Hello')));
    await expect(readFile(file)).rejects.toThrow('no step of the user');
    const { all, losses } = await readFile(file, { skipInvalid: true });
    expect(all).toHaveLength(1);
    expect(losses).toContainEqual(expect.stringContaining('1 × records that cannot be read'));
  });

  test('has turns that were copied from an earlier one as history, which is not judged', async () => {
    const copied = { is_copied_context: true };
    const { evalSet } = await importCases({
      files: [fileOf(trajectory(user('Hi', copied), agent('Hello', copied), user('Book it'), agent('Booked')))],
    });
    expect(evalSet.evalCases[0]?.agentCriteria).toMatchObject({ history: 1 });
  });

  test('has texts before a later step as steps, and only the last as the answer', async () => {
    const { all } = await readFile(fileOf(trajectory(user('Hi'), user('there'), agent('Wait'), agent('Hello'))));
    expect(all.flatMap(shown)).toEqual(['user: Hi\nthere', 'desk: Wait', 'answer: Hello']);
  });

  test('lists what has no place in a turn', async () => {
    const { losses, all } = await readFile(
      fileOf(
        trajectory(
          user('Hi'),
          { source: 'system', message: 'A note' },
          agent('', {
            tool_calls: [{ tool_call_id: '1', function_name: 'find', arguments: {}, extra: { x: 1 } }],
            observation: {
              results: [
                {
                  source_call_id: '1',
                  content: 'a',
                  subagent_trajectory_ref: [{ trajectory_path: '../../etc/passwd' }],
                },
                { source_call_id: '9', content: 'b' },
              ],
            },
            metrics: { prompt_tokens: 1, completion_token_ids: [1, 2] },
            llm_call_count: 3,
            reasoning_effort: 'high',
          }),
          agent('Hello'),
        ),
      ),
    );
    expect(losses).toEqual([
      '1 × steps of the system after the first message of the user, left out',
      '1 × the key "reasoning_effort" of steps, left out',
      '1 × the key "extra" of calls, left out',
      '1 × the key "completion_token_ids" of metrics, left out',
      '1 × steps of several calls to models, counted as one call',
      '1 × trajectories of other agents that are not in the file, left out',
      '1 × observations that are not the result of a call, left out',
    ]);
    expect(all.flatMap(({ turns }) => turns.flatMap(toolSteps)).map(({ response }) => response?.response)).toEqual([
      { result: 'a' },
    ]);
  });

  test('whose agents call themselves is read to its end', () => {
    const calls = agent('', {
      tool_calls: [{ tool_call_id: '1', function_name: 'ask', arguments: {} }],
      observation: {
        results: [{ source_call_id: '1', content: 'x', subagent_trajectory_ref: [{ trajectory_id: 't' }] }],
      },
    });
    const own = { ...trajectory(calls), trajectory_id: 't' };
    const losses: string[] = [];
    readAtif({ ...trajectory(user('Hi'), calls), subagent_trajectories: [own] }, 'a', (what) => losses.push(what));
    expect(losses).toEqual(['trajectories of agents that call themselves, left out']);
  });

  test('never fails, and never changes a prototype, whatever its steps hold', () => {
    const keys = ['source', 'message', 'tool_calls', 'observation', 'metrics', 'results', '__proto__', 'arguments'];
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom('user', 'agent', 'system', null, 1),
        fc.array(tie('any'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom(...keys), tie('any'), { maxKeys: 4 }),
      ),
    })).any;
    fc.assert(
      fc.property(fc.array(value, { maxLength: 5 }), (steps) => {
        readAtif({ schema_version: 'ATIF-v1.7', agent: {}, steps: [user('Hi'), ...steps] }, 'a', () => undefined);
        expect(Object.keys(Object.prototype)).toEqual([]);
      }),
      { numRuns: runs(500) },
    );
  });
});
