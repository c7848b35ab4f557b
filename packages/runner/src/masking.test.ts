import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type AgentSession,
  type AgentTurn,
  contentText,
  defineCriterion,
  noOptions,
  type Score,
} from '@agent-criteria/core';
import { createRegistry, resolveEvalConfig } from '@agent-criteria/core/host';
import { evalCase, evalSet, message } from '@agent-criteria/core/testing';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { sessionAgent } from './__fixtures__/agents.ts';
import { casesOf } from './__fixtures__/echo-runs.ts';
import type { RunEvent } from './engine/events.ts';
import { generate } from './generate.ts';
import { openTelemetrySpans } from './otel.ts';
import { type RunOptions, run } from './run.ts';
import { openRun } from './run-folder/open-run.ts';
import { scoreRun } from './score-run.ts';

let folder: string;
beforeEach(() => {
  folder = join(tmpdir(), `agent-criteria-masking-${process.pid}-${Math.random().toString(36).slice(2)}`);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

const value = 'correct-horse-"battery"';
const token = `ghp_${'a1B2'.repeat(9)}`;
const environment = { SHOP_API_KEY: value, SHOP_PASSWORD: 'in-the-eval-set', HOME: '/home/of/somebody' };
const secrets = ['correct-horse', 'a1B2a1B2', 'zyx98765', 'hunter2'];
const leak = `${value}, Bearer zyx987654321, https://me:hunter2@shop, in-the-eval-set`;
const masked =
  '[masked: SHOP_API_KEY], Bearer [masked: bearer token], https://me:[masked: password]@shop, [masked: SHOP_PASSWORD]';

const cases = [
  evalCase('told', [{ user: 'say it, not in-the-eval-set' }, { user: 'again' }]),
  evalCase('broken', [{ user: 'break' }]),
];
const seen: unknown[] = [];

/** A criterion that leaks secrets, as does its judge, and that fails in the second turn. */
const leaking = defineCriterion({
  name: 'leaking',
  origin: { package: 'test', version: '1.0.0' },
  description: 'Tells all it knows.',
  decides: true,
  range: { min: 0, max: 1, better: 'higher' },
  options: noOptions,
  scope: 'turn',
  models: () => ['judge'],
  async evaluate(turn, { tools: { model, signal }, transcript: { inference } }): Promise<Score> {
    seen.push(inference);
    const { text } = await model('judge').generate({ messages: [message('user', leak)], sample: turn.index }, signal);
    seen.push(text);
    await model('judge')
      .generate({ messages: [], sample: 9 }, signal)
      .catch(() => undefined);
    if (turn.index === 1) throw new Error(`no answer from ${leak}`);
    return { value: 1, reason: text, evidence: [{ kind: 'json', value: { [value]: JSON.stringify({ leak }) } }] };
  },
});

function setsOf() {
  const judge = {
    id: 'judge',
    async generate({ sample }: { readonly sample: number }) {
      if (sample === 9) throw new Error(`401 for ${leak}`);
      return { text: leak, finish: 'stop' as const, usage: {}, from: 'live' as const };
    },
  };
  const plan = resolveEvalConfig({
    evalSet: evalSet(cases),
    config: { criteria: { leaking: 1 } },
    registry: createRegistry([leaking]),
    models: () => judge,
  });
  return [{ plan, file: null, configFile: null }];
}

const heard: string[] = [];
const agent = sessionAgent(
  ({ key }): Partial<AgentSession> => ({
    async send(content, { onEvent } = {}): Promise<AgentTurn> {
      heard.push(contentText(content));
      onEvent?.({ partial: leak });
      if (key.caseId === 'broken') throw new Error(`cannot reach ${leak}`);
      const response = { id: '1', name: 'look', response: { [`of ${value}`]: 1, output: JSON.stringify({ leak }) } };
      const toolUses = [{ id: '1', name: 'look', args: { url: leak } }];
      return {
        invocation: {
          userContent: content,
          finalResponse: message('model', leak),
          intermediateData: { toolUses, toolResponses: [response], intermediateResponses: [] },
        },
      };
    },
    state: async () => ({ leak, [token]: true }),
  }),
);

const start = (options: Partial<RunOptions> = {}) => {
  seen.length = 0;
  heard.length = 0;
  return run({ sets: setsOf(), agent, folder, environment, concurrency: { agents: 1 }, ...options });
};

function written(): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');
}

function expectNoSecret(text: string): void {
  for (const secret of secrets) expect(text).not.toContain(secret);
}

describe('secrets of a run', () => {
  it('reach no file, event or span', async () => {
    const exporter = new InMemorySpanExporter();
    const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
    const spans = openTelemetrySpans(provider.getTracer('test'));
    const events: RunEvent[] = [];
    const outcome = await start({
      onEvent: (event) => {
        events.push(event);
        spans(event);
      },
    });
    expect(outcome).toMatchObject({ finished: true, problems: [], summary: { exitCode: 3 } });
    const text = written();
    expectNoSecret(text);
    for (const label of ['SHOP_API_KEY', 'bearer token', 'password', 'GitHub token']) {
      expect(text).toContain(`[masked: ${label}]`);
    }
    expect(text).not.toContain('in-the-eval-set');
    expectNoSecret(JSON.stringify(events));
    expect(events.map(({ type }) => type)).toContain('agent-event');
    const told = exporter
      .getFinishedSpans()
      .map(({ attributes, events: own, status }) => ({ attributes, own, status }));
    expectNoSecret(JSON.stringify(told));
    expect(JSON.stringify(told)).toContain(masked.slice(0, 30));
  });

  it('are masked for criteria, but not for the agent', async () => {
    await start();
    const opened = await casesOf(openRun(folder));
    const inference = opened[0]?.inferences[0]?.inference;
    expect(inference?.invocations[0]?.finalResponse?.parts?.[0]?.text).toBe(masked);
    expect(seen[0]).toEqual(inference);
    expect(seen).toContain(leak);
    expect(heard).toContain('say it, not in-the-eval-set');
    expect(inference?.state.final).toEqual({ leak: masked, '[masked: GitHub token]': true });
    expect(inference?.invocations[0]?.intermediateData).toMatchObject({
      toolUses: [{ args: { url: masked } }],
      toolResponses: [{ response: { 'of [masked: SHOP_API_KEY]': 1, output: JSON.stringify({ leak: masked }) } }],
    });
    expect(opened[1]?.inferences[0]?.inference.ending).toMatchObject({
      by: 'error',
      error: { message: `turn 1: the agent threw: cannot reach ${masked}` },
    });
    // Scoring again makes no difference.
    const again = await scoreRun({ folder, sets: setsOf(), environment });
    expect(again.summary).toEqual(openRun(folder, { scoring: 1 }).summary);
    expectNoSecret(written());
  });

  it('are stored if masking is turned off', async () => {
    await start({ maskSecrets: false });
    for (const secret of secrets) expect(written()).toContain(secret);
  });

  it('are masked when unmasked inferences are scored', async () => {
    await start({ maskSecrets: false });
    await scoreRun({ folder, sets: setsOf(), environment });
    const scored = readFileSync(join(folder, 'scorings/2/scores.jsonl'), 'utf8');
    expect(scored).toContain('"caseId":"broken"');
    expectNoSecret(scored);
  });

  it('are taken from process.env by default', async () => {
    vi.stubEnv('SHOP_API_KEY', 'battery-staple');
    const answering = () => 'it is battery-staple';
    await start({ environment: undefined, agent: answering });
    expect(written()).not.toContain('battery-staple');
    const plan = setsOf()[0]?.plan;
    if (plan === undefined) throw new Error('there is no plan');
    expect(JSON.stringify(await generate({ plan, agent: answering }))).toContain('it is [masked: SHOP_API_KEY]');
  });

  it('are masked even if an agent sets the variable during its turn', async () => {
    onTestFinished(() => void delete process.env.LATE_API_KEY);
    const late = () => {
      process.env.LATE_API_KEY = 'zyx98765-fetched-late';
      return `it is ${process.env.LATE_API_KEY}`;
    };
    const events: RunEvent[] = [];
    await start({ environment: undefined, agent: late, onEvent: (event) => void events.push(event) });
    expect(written()).toContain('it is [masked: LATE_API_KEY]');
    expect(written() + JSON.stringify(events)).not.toContain('fetched-late');
  });

  it('are masked even if an agent replaces process.env', async () => {
    const before = process.env;
    onTestFinished(() => {
      process.env = before;
    });
    const late = () => {
      process.env = { ...before, LATE_API_KEY: 'zyx98765-fetched-late' };
      return `it is ${process.env.LATE_API_KEY}`;
    };
    await start({ environment: undefined, agent: late });
    expect(written()).toContain('it is [masked: LATE_API_KEY]');
    expect(written()).not.toContain('fetched-late');
  });

  it('are masked in gate texts, even if the variable no longer exists', async () => {
    onTestFinished(() => void delete process.env.LATE_API_KEY);
    const late = () => {
      process.env.LATE_API_KEY = 'zyx98765-fetched-late';
      return 'done';
    };
    const gates: RunOptions['gates'] = {
      decide: false,
      names: [{ name: 'said' }],
      async results() {
        delete process.env.LATE_API_KEY;
        return [{ name: 'said', holds: true, text: 'it is zyx98765-fetched-late' }];
      },
    };
    const answering = setsOf().map((set) => ({
      ...set,
      plan: { ...set.plan, evalSet: evalSet([evalCase('one', [{ user: 'x' }])]) },
    }));
    await start({ environment: undefined, agent: late, gates, sets: answering });
    expect(readFileSync(join(folder, 'scorings/1/outcome.json'), 'utf8')).toContain('it is [masked: LATE_API_KEY]');
  });

  it('are masked in the eval set too, so that equal texts stay equal', async () => {
    const same = defineCriterion({
      name: 'same',
      origin: { package: 'test', version: '1.0.0' },
      description: 'The answer is the reference.',
      decides: true,
      range: { min: 0, max: 1, better: 'higher' },
      options: noOptions,
      scope: 'turn',
      evaluate({ expected, actual }): Score {
        const [reference, answer] = [expected, actual].map((turn) => contentText(turn?.finalResponse));
        return { value: reference === answer ? 1 : 0, reason: `${reference} | ${answer}` };
      },
    });
    const conversation = [{ user: 'say it', answer: `the password is ${value}` }];
    const plan = resolveEvalConfig({
      evalSet: evalSet([evalCase('equal', conversation), evalCase('other', conversation)]),
      config: { criteria: { same: 1 } },
      registry: createRegistry([same]),
    });
    const sets = [{ plan, file: null, configFile: null }];
    const told: string[] = [];
    const agent = sessionAgent(
      ({ key }): Partial<AgentSession> => ({
        async send(content): Promise<AgentTurn> {
          told.push(contentText(content));
          const answer = `the password is ${key.caseId === 'equal' ? value : 'another one'}`;
          return { invocation: { userContent: content, finalResponse: message('model', answer) } };
        },
      }),
    );
    const { summary } = await run({ sets, agent, folder, environment });
    expect(summary.verdicts).toMatchObject({ passed: 1, failed: 1 });
    expect(told).toEqual(['say it', 'say it']);
    expectNoSecret(written());
    expect(written()).toContain('the password is [masked: SHOP_API_KEY] | the password is another one');
    // Masking must not look like a change when the run is resumed or scored again.
    expect((await run({ sets, agent, folder, environment })).summary.verdicts).toMatchObject({ passed: 1, failed: 1 });
    expect((await scoreRun({ folder, sets, environment })).summary.verdicts).toMatchObject({ passed: 1, failed: 1 });
  });

  it("are masked before the user's redact function is called", async () => {
    const given: string[] = [];
    await start({
      redact(whole) {
        given.push(JSON.stringify(whole));
        return JSON.parse(JSON.stringify(whole).replaceAll('cannot reach', 'no way to'));
      },
    });
    expect(given.length).toBeGreaterThan(0);
    expectNoSecret(given.join('\n'));
    expect(written()).toContain(`no way to ${masked}`);
  });
});
