import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStubs } from '@agent-criteria/calls';
import type { Agent, AgentTurn, FunctionCall, FunctionResponse, State } from '@agent-criteria/core';
import { createRegistry, resolveEvalConfig } from '@agent-criteria/core/host';
import { evalCase, evalSet } from '@agent-criteria/core/testing';
import { toolTrajectory } from '@agent-criteria/criteria-trajectory/pure';
import { callPolicies } from '@agent-criteria/models';
import { openAiCompatible } from '@agent-criteria/models/openai-compatible';
import { type RunCase, usageOf } from '@agent-criteria/results';
import { openRun, run } from '@agent-criteria/runner';
import { type Asked, type FakeServer, startFakeOpenAi } from '@agent-criteria/test-servers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recordedTools, toolSpecSimulator } from './pure.ts';

// Complete runs of an agent with tools, against a server that behaves like that of OpenAI.

let folder: string;
let server: FakeServer | undefined;
let runs = 0;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'agent-criteria-environment-'));
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  rmSync(folder, { recursive: true, force: true });
});

/** Creates an agent that books and looks the booking up, and a count of the calls that reached its real tools. */
function bookings() {
  let real = 0;
  const agent: Agent = {
    name: 'bookings',
    supportsStubs: true,
    describe: async () => ({
      name: 'bookings',
      tools: [
        { name: 'book', description: 'Books a room.' },
        { name: 'look_up', description: 'Looks a booking up.' },
      ],
    }),
    async open({ key, stubs = [], environment }, signal) {
      const answers = openStubs(stubs, key, environment);
      return {
        id: key.caseId,
        async send(userContent): Promise<AgentTurn> {
          const toolUses: FunctionCall[] = [];
          const toolResponses: FunctionResponse[] = [];
          const ask = async (name: string, args: State) => {
            const id = String(toolUses.push({ id: String(toolUses.length), name, args }) - 1);
            const answer = await answers.call(name, args, signal);
            if (!answer?.response) real += 1;
            const response = answer?.response ?? { real: true };
            toolResponses.push({ id, name, response });
            return response;
          };
          const { booking_id: id = null } = await ask('book', { room: 12 });
          const found = await ask('look_up', { booking_id: id });
          const finalResponse = { role: 'model', parts: [{ text: JSON.stringify(found) }] };
          return { invocation: { userContent, finalResponse, intermediateData: { toolUses, toolResponses } } };
        },
        state: async () => null,
        close: async () => undefined,
      };
    },
  };
  return { agent, real: () => real };
}

/** Plays the tools by what the request shows: each booking has a new number, and only known ones are found. */
function plays({ schema, text }: Asked): string {
  if (schema !== null) {
    const entry = { parameter_name: 'booking_id', creating_tools: ['book'], consuming_tools: ['look_up'] };
    return JSON.stringify({ stateful_parameters: [entry] });
  }
  if (text.includes('"name": "book"')) {
    const known = (text.match(/"parameter":"booking_id"/g) ?? []).length;
    return JSON.stringify({ booking_id: `B${known + 1}` });
  }
  const [, id = ''] = /"booking_id": "(\w+)"\n/.exec(text) ?? [];
  return JSON.stringify(text.includes(`"value":"${id}"`) ? { found: id } : { error_code: 404 });
}

const simulated = [
  { tool_name: 'book', mock_strategy_type: 'MOCK_STRATEGY_TOOL_SPEC' },
  { tool_name: 'look_up', mock_strategy_type: 'MOCK_STRATEGY_TOOL_SPEC' },
];

interface Options {
  readonly environment?: object;
  readonly calls?: Parameters<typeof callPolicies>[0];
  readonly repeats?: number;
  readonly answer?: (asked: Asked) => string;
  readonly cases?: Parameters<typeof evalSet>[0];
}

async function ran({ environment = {}, calls = {}, repeats = 1, answer = plays, cases }: Options = {}) {
  server ??= await startFakeOpenAi({ answer });
  const before = server.requests.length;
  const model = openAiCompatible({ baseUrl: `${server.url}/v1`, apiKey: 'test-key', model: 'test-model' });
  const plan = resolveEvalConfig({
    evalSet: evalSet(cases ?? [evalCase('one', [{ user: 'Book.' }]), evalCase('two', [{ user: 'Book.' }])]),
    config: {
      criteria: {},
      agent_criteria: {
        measure: ['tool_trajectory_avg_score'],
        simulation_model: 'test-model',
        tool_simulation_configs: simulated,
        ...environment,
      },
    },
    registry: createRegistry([toolSpecSimulator, recordedTools, toolTrajectory]),
    models: () => model,
  });
  runs += 1;
  const into = join(folder, `run-${runs}`);
  const { agent, real } = bookings();
  const sets = [{ plan, file: null, configFile: null, warnings: [] }];
  const policies = await callPolicies({ cache: join(folder, 'cache'), ...calls });
  const { summary, ...rest } = await run({ sets, agent, folder: into, repeats, policies });
  const found: RunCase[] = [];
  for await (const one of openRun(into).cases()) found.push(one);
  const inferences = found.flatMap((one) => one.inferences.map(({ inference }) => inference));
  const answers = inferences.map(({ invocations }) => invocations[0]?.finalResponse?.parts?.[0]?.text);
  const errors = inferences.map(({ ending }) => (ending.by === 'error' ? ending.error.message : undefined));
  const requests = server.requests.length - before;
  return { exitCode: summary.exitCode, cases: found, answers, errors, requests, real: real(), rest };
}

describe('simulated tools in a run', () => {
  it('answer with the state of their own session, and the real tools are never called', async () => {
    const { answers, real, requests, cases } = await ran({ repeats: 2 });
    // No booking of another case or repeat is known, or it would be the second one.
    expect(answers).toEqual(Array(4).fill('{"found":"B1"}'));
    expect(real).toBe(0);
    // For each repeat: the connections once for all cases, and one booking and one look-up, which are the same in both cases.
    expect(requests).toBeLessThanOrEqual(12);
    const usage = usageOf(cases[0]!);
    expect(usage.tools).toMatchObject({ failed: 0 });
    expect((usage.tools?.live ?? 0) + (usage.tools?.cached ?? 0)).toBe(6);
    expect(usage.judge).toBeUndefined();
  });

  it('answer from the cache the next time', async () => {
    await ran();
    const again = await ran();
    expect(again.requests).toBe(0);
    expect(again.answers).toEqual(Array(2).fill('{"found":"B1"}'));
  });

  it('are recorded, and replayed without a request', async () => {
    const file = join(folder, 'tools.jsonl');
    const first = await ran({ calls: { cache: false, recording: { file, mode: 'record' } } });
    const again = await ran({ calls: { cache: false, recording: { file, mode: 'replay' } } });
    expect(again.requests).toBe(0);
    expect(again.answers).toEqual(first.answers);
    expect(again.cases.flatMap(({ calls = [] }) => calls.map(({ from }) => from))).toEqual(Array(6).fill('recording'));
  });

  it('stop at the budget, and no inference that lacks an answer is kept', async () => {
    const { exitCode, answers, errors, real } = await ran({ calls: { cache: false, maxCalls: 1 } });
    expect(errors).toEqual([]);
    expect(exitCode).toBe(3);
    expect(answers).toEqual([]);
    expect(real).toBe(0);
  });

  it('make the case an error if the model gives nothing usable, without calling the real tool', async () => {
    const { exitCode, errors, real } = await ran({ answer: () => 'I am a tool.' });
    expect(exitCode).toBe(3);
    expect(errors[0]).toContain('no usable answer');
    expect(real).toBe(0);
  });

  it('make a call of an unlisted tool an error of the case, if these are errors', async () => {
    const [book] = simulated;
    const { exitCode, errors, real } = await ran({
      environment: { tool_simulation_configs: [book], unlisted_tools: 'error' },
    });
    expect(exitCode).toBe(3);
    expect(errors[0]).toContain('the tool "look_up", which no stub lists');
    expect(real).toBe(0);
  });

  it('replay what a case has recorded', async () => {
    const turn = {
      userContent: { parts: [{ text: 'Book.' }] },
      intermediateData: {
        toolUses: [
          { name: 'book', args: { room: 12 } },
          { name: 'look_up', args: { booking_id: 'B9' } },
        ],
        toolResponses: [
          { name: 'book', response: { booking_id: 'B9' } },
          { name: 'look_up', response: { found: 'as recorded' } },
        ],
      },
    };
    const { answers, requests } = await ran({
      cases: [{ evalId: 'one', conversation: [turn] }],
      environment: {
        tool_simulation_configs: ['book', 'look_up'].map((tool_name) => ({
          tool_name,
          mock_strategy_type: 'recorded',
        })),
      },
    });
    expect(answers).toEqual(['{"found":"as recorded"}']);
    expect(requests).toBe(0);
  });
});
