import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Inference } from '@agent-criteria/core';
import { type CallPolicies, createRegistry, resolveEvalConfig } from '@agent-criteria/core/host';
import { evalSet } from '@agent-criteria/core/testing';
import { geminiModel } from '@agent-criteria/model-gemini/pure';
import { callPolicies } from '@agent-criteria/models';
import type { RunCase } from '@agent-criteria/results';
import { openRun, run } from '@agent-criteria/runner';
import { type Answer, type FakeServer, faults, fittingAnswer, startFakeGemini } from '@agent-criteria/test-servers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answer, scenario } from './__fixtures__/conversations.ts';
import { llmBackedUserSimulator, perTurnUserSimulatorQuality } from './pure.ts';

// Complete runs with the real Gemini client against a server that behaves like Gemini.

let folder: string;
let server: FakeServer | undefined;
let runs = 0;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'agent-criteria-user-'));
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  rmSync(folder, { recursive: true, force: true });
});

/** An agent at a help desk that opens the door if given a badge number, and issues no new badges. */
function desk(message: string): string {
  if (/\d{4}/.test(message)) return 'Door 3 is open.';
  return message.includes('new badge') ? 'I cannot make badges.' : 'What is the number of your badge?';
}

const isUser = (schema: object | null): boolean => JSON.stringify(schema).includes('"done"');

/**
 * Plays both a user, who follows the plan in reply to the desk's last answer, and a judge, who approves of everything.
 */
const plays: Answer = (asked) => {
  if (!isUser(asked.schema)) return fittingAnswer()(asked);
  const last = asked.text.slice(asked.text.lastIndexOf('\nagent: '));
  if (last.includes('number')) return answer('It is 4711.');
  if (last.includes('open')) return answer('And a new badge, please.');
  return answer('Pity. Bye.', true, 'the desk has refused the badge');
};

interface Ran {
  readonly exitCode: number;
  readonly cases: readonly RunCase[];
  readonly requests: FakeServer['requests'];
}

/** Runs the scenario with a server that gives these answers. */
async function ran(
  said: Answer,
  { policies, options = {}, repeats = 1 }: { policies?: CallPolicies; options?: object; repeats?: number } = {},
): Promise<Ran> {
  server = await startFakeGemini({ answer: said });
  const model = geminiModel({ model: 'gemini-2.5-flash', apiKey: 'test-key', baseUrl: server.url });
  const plan = resolveEvalConfig({
    evalSet: evalSet([{ evalId: 'door', conversationScenario: scenario }]),
    config: { criteria: { per_turn_user_simulator_quality_v1: 1 }, user_simulator_config: options },
    registry: createRegistry([llmBackedUserSimulator, perTurnUserSimulatorQuality]),
    models: () => model,
  });
  runs += 1;
  const into = join(folder, `run-${runs}`);
  const sets = [{ plan, file: null, configFile: null, warnings: [] }];
  const { summary } = await run({ sets, agent: desk, folder: into, repeats, policies });
  const { requests } = server;
  await server.close();
  server = undefined;
  const cases: RunCase[] = [];
  for await (const one of openRun(into).cases()) cases.push(one);
  return { exitCode: summary.exitCode, cases, requests };
}

function inferenceOf({ cases }: Ran, repeat = 0): Inference {
  const found = cases[0]?.inferences[repeat]?.inference;
  if (found === undefined) throw new Error('there is no inference');
  return found;
}

/** Returns messages and answers without ids and times. */
function dialogue({ invocations, ending }: Inference): object {
  return {
    turns: invocations.map(({ userContent, finalResponse }) => [userContent.parts, finalResponse?.parts]),
    ending,
  };
}

const whole = {
  turns: [
    [[{ text: scenario.startingPrompt }], [{ text: 'What is the number of your badge?' }]],
    [[{ text: 'It is 4711.' }], [{ text: 'Door 3 is open.' }]],
    [[{ text: 'And a new badge, please.' }], [{ text: 'I cannot make badges.' }]],
    // The last message is delivered and answered, then the conversation ends.
    [[{ text: 'Pity. Bye.' }], [{ text: 'What is the number of your badge?' }]],
  ],
  ending: { by: 'user', reason: 'the desk has refused the badge' },
};

describe('a simulated conversation', () => {
  it('runs over HTTP, is judged and is recorded with its calls', async () => {
    const found = await ran(plays);
    expect(dialogue(inferenceOf(found))).toEqual(whole);
    expect(found.exitCode).toBe(0);
    const users = found.requests.filter(({ body }) => isUser(body as object));
    expect(users).toHaveLength(3);
    expect(users[0]?.body).toMatchObject({
      systemInstruction: { parts: [{ text: expect.stringContaining('You are the user') }] },
      generationConfig: {
        responseMimeType: 'application/json',
        responseJsonSchema: { required: ['reason', 'done', 'message'] },
        thinkingConfig: { includeThoughts: true, thinkingBudget: 10240 },
      },
    });
    const calls = (found.cases[0]?.calls ?? []).filter(({ role }) => role === 'user');
    expect(calls).toMatchObject(
      [{}, {}, {}].map(() => ({ caller: 'llm_backed', target: 'gemini-2.5-flash', from: 'live' })),
    );
  });

  it('ends at its turn limit, which is given as the reason', async () => {
    const { ending, invocations } = inferenceOf(await ran(plays, { options: { max_allowed_invocations: 2 } }));
    expect(invocations).toHaveLength(2);
    expect(ending).toMatchObject({ by: 'turn-limit', reason: expect.stringContaining('all 2 messages') });
  });

  it('can be replayed from a recording with its messages, calls, opinions and scores', async () => {
    const file = join(folder, 'calls.jsonl');
    const recording = (mode: 'record' | 'replay') =>
      callPolicies({ recording: { file, mode }, cache: false, maxRetries: 0 });
    const first = await recording('record');
    const recorded = await ran(plays, { policies: first, repeats: 2 });
    await first.close();
    expect(readFileSync(file, 'utf8')).not.toContain('test-key');

    const second = await recording('replay');
    const replayed = await ran(() => faults.cutSocket, { policies: second, repeats: 2 });
    expect(await second.close()).toEqual([]);
    expect(replayed.requests).toEqual([]);
    expect(replayed.exitCode).toBe(0);
    for (const repeat of [0, 1]) {
      expect(dialogue(inferenceOf(replayed, repeat))).toEqual(whole);
      expect(dialogue(inferenceOf(recorded, repeat))).toEqual(whole);
    }
    const told = ({ cases }: Ran) =>
      (cases[0]?.calls ?? [])
        .map(({ role, caller, key, turn, sample, target, request, usage }) => ({
          place: JSON.stringify([role, caller, key, turn, sample, target, request]),
          usage,
        }))
        .sort((one, other) => (one.place < other.place ? -1 : 1));
    expect(told(recorded)).toHaveLength(2 * (3 + 3 * 4));
    expect(told(replayed)).toEqual(told(recorded));
    const scores = ({ cases }: Ran) =>
      JSON.parse(JSON.stringify(cases[0]?.result).replaceAll(/"(?:from|sessionId)":"[^"]+"/g, '"was":""'));
    expect(scores(replayed)).toEqual(scores(recorded));
  });

  it('stops without a request if it differs from its recording', async () => {
    const file = join(folder, 'calls.jsonl');
    const first = await callPolicies({ recording: { file, mode: 'record' }, cache: false });
    await ran(plays, { policies: first });
    await first.close();
    const second = await callPolicies({ recording: { file, mode: 'replay' }, cache: false });
    const other = await ran(plays, { policies: second, options: { stop_signal: 'OVER' } });
    await second.close();
    expect(other.requests).toEqual([]);
    expect(other.exitCode).toBe(3);
  });
});

describe("a failure of the user's model", () => {
  const broken: readonly (readonly [string, ReturnType<Answer>, string])[] = [
    ['is blocked', { blockReason: 'SAFETY' }, 'gave no message, twice: a safety filter blocked the answer'],
    ['says nothing', { text: '' }, 'gave no message, twice: the answer was empty'],
    ['only thinks', { thoughts: answer('I think') }, 'gave no message, twice: the answer was empty'],
    ['is cut off', { finish: 'length', text: '{"reason": "It' }, 'gave no message, twice: the answer was cut off'],
    ['has no candidate', { empty: true }, 'gave no message, twice'],
    ['cuts every connection', faults.cutSocket, ''],
    ['answers with the page of a proxy', faults.badGateway, ''],
  ];

  it.each(broken)(
    "is reported as the user's error, without judging the agent, if the model %s",
    async (_what, said, why) => {
      const found = await ran(() => said);
      const { ending, invocations } = inferenceOf(found);
      expect(ending).toMatchObject({ by: 'error', of: 'user', error: { code: 'CALL_FAILED' } });
      expect(JSON.stringify(ending)).toContain(why);
      // The earlier turns are kept.
      expect(invocations).toHaveLength(1);
      expect(found.cases[0]?.result.verdict).toBe('error');
      expect(found.exitCode).toBe(3);
    },
  );

  it('does not end a conversation if only the first answer to a request is unusable', async () => {
    const seen = new Set<string>();
    const found = await ran((asked) => {
      const isFirst = isUser(asked.schema) && !asked.text.includes('could not be used') && !seen.has(asked.text);
      seen.add(asked.text);
      return isFirst
        ? { text: '' }
        : plays({ ...asked, text: asked.text.replace(/\nYour last answer could[\s\S]*$/, '') });
    });
    expect(dialogue(inferenceOf(found))).toEqual(whole);
    expect(found.requests.filter(({ body }) => isUser(body as object))).toHaveLength(6);
  });
});
