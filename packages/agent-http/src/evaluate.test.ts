import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '@agent-criteria/cli';
import {
  type Criterion,
  contentText,
  createRegistry,
  defineCriterion,
  type EvalCase,
  type Json,
  noOptions,
  writeEvalSet,
} from '@agent-criteria/core';
import { evalCase, evalSet } from '@agent-criteria/core/testing';
import { evaluate } from '@agent-criteria/runner';
import {
  type FakeAdkAgent,
  type FakeAdkOptions,
  type FakeAdkServer,
  faults,
  says,
  startFakeAdkServer,
} from '@agent-criteria/test-servers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { httpAgents } from './pure.ts';

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const clean of cleanUp.splice(0)) await clean();
});

/** Remembers what it was told, looks things up, and breaks when it is asked to. */
const weather: FakeAdkAgent = function* ({ text, session }) {
  if (text.startsWith('break')) {
    yield { errorCode: 'SAFETY', errorMessage: 'blocked' };
    return;
  }
  const args = { city: String(session.state.city ?? text) };
  session.state.asked = args.city;
  yield { author: 'root', content: { role: 'model', parts: [{ functionCall: { id: 'c', name: 'look_up', args } }] } };
  yield {
    author: 'root',
    content: { role: 'user', parts: [{ functionResponse: { id: 'c', name: 'look_up', response: { temp: 3 } } }] },
  };
  yield { author: 'root', ...says(`3 degrees in ${args.city}`) };
};

async function start(options: FakeAdkOptions = {}): Promise<FakeAdkServer> {
  const server = await startFakeAdkServer({ apps: { weather }, ...options });
  cleanUp.push(() => server.close());
  return server;
}

const turn = (user: string, city = user) => ({
  user,
  answer: `3 degrees in ${city}`,
  toolCalls: [{ name: 'look_up', args: { city } }],
});
const seeded = (id: string, city: string): EvalCase =>
  evalCase(id, [turn('here', city), turn('there', city)], {
    sessionInput: { appName: 'weather', userId: 'ann', state: { city } },
  });

/** Whether the answer is the one that was expected. */
const sameAnswer: Criterion = defineCriterion({
  name: 'same_answer',
  origin: { package: 'test', version: '1.0.0' },
  description: 'The answer is the one that was expected.',
  gates: true,
  range: { min: 0, max: 1, better: 'higher' },
  options: noOptions,
  scope: 'turn',
  evaluate: ({ actual, expected }) => ({
    value: Number(contentText(actual.finalResponse) === contentText(expected?.finalResponse)),
    reason: 'compared',
  }),
});

describe('a run of an agent behind a URL', () => {
  it.each(['python', 'typescript'] as const)(
    'has sessions and states of its own for each case (%s)',
    async (dialect) => {
      const server = await start({ dialect, latency: 20 });
      const cities = Array.from({ length: 50 }, (_, at) => `city-${at}`);
      const result = await evaluate({
        agent: `${server.url}/apps/weather`,
        evalSet: evalSet([...cities.map((city) => seeded(city, city)), evalCase('free', [turn('Rome')])]),
        config: { criteria: { same_answer: 1 } },
        registry: createRegistry([sameAnswer, httpAgents()]),
        concurrency: { agents: 50 },
      });
      expect(result).toMatchObject({ verdict: 'passed', exitCode: 0, total: 51, problems: [] });
      for (const [at, city] of cities.entries()) {
        expect(result.inferences[at]?.inference.state).toStrictEqual({
          initial: { city },
          final: { city, asked: city },
        });
      }
      expect(new Set(result.inferences.map(({ inference }) => inference.sessionId)).size).toBe(51);
      expect(server.sessions).toStrictEqual([]);
      expect(server.mostAtOnce).toBeGreaterThan(4);
    },
  );

  it('is an error where the agent fails, and goes on elsewhere', async () => {
    const server = await start();
    const result = await evaluate({
      agent: server.url,
      evalSet: evalSet([evalCase('broken', [turn('Rome'), turn('break')]), evalCase('whole', [turn('Rome')])]),
      config: { criteria: { same_answer: 1 } },
      registry: createRegistry([sameAnswer, httpAgents()]),
    });
    expect(result.cases.map(({ verdict }) => verdict)).toStrictEqual(['error', 'passed']);
    expect(result.exitCode).toBe(3);
    const { ending, invocations } = result.inferences[0]!.inference;
    expect(ending).toMatchObject({
      by: 'error',
      of: 'agent',
      error: { message: 'turn 2: agent "weather" failed: SAFETY: blocked' },
    });
    expect(invocations).toHaveLength(2);
    expect(server.sessions).toStrictEqual([]);
  });

  it('closes the socket of a turn that takes too long, and the session', async () => {
    const server = await start();
    // Session, its state, what is known of the app, the state again, the first turn; the second never ends.
    server.fail(null, null, null, null, null, faults.hang);
    const result = await evaluate({
      agent: `${server.url}/apps/weather`,
      evalSet: evalSet([evalCase('slow', [turn('Rome'), turn('Oslo')])]),
      config: { criteria: { same_answer: 1 } },
      registry: createRegistry([sameAnswer, httpAgents()]),
      turnTimeout: 2000,
    });
    expect(result.inferences[0]?.inference.invocations).toHaveLength(1);
    expect(result.inferences[0]?.inference.ending).toMatchObject({
      by: 'error',
      of: 'agent',
      error: { code: 'TIMEOUT' },
    });
    await vi.waitFor(() => expect(server.requests.filter(({ path }) => path === '/run').at(-1)?.aborted).toBe(true));
    await vi.waitFor(() => expect(server.sessions).toStrictEqual([]), 10_000);
  });

  it('needs no settings for a server that wants a token', async () => {
    vi.stubEnv('AGENT_CRITERIA_AGENT_TOKEN', 'tok-s3cret');
    const server = await start({ token: 'tok-s3cret' });
    const result = await evaluate({
      agent: server.url,
      evalSet: evalSet([evalCase('one', [turn('Rome')])]),
      config: { criteria: { same_answer: 1 } },
      registry: createRegistry([sameAnswer, httpAgents()]),
    });
    expect(result.exitCode).toBe(0);
    expect(JSON.stringify(result.inferences)).not.toContain('s3cret');
  });
});

describe('agent-criteria eval <url>', () => {
  it('evaluates it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'agent-http-'));
    cleanUp.push(() => rmSync(folder, { recursive: true, force: true }));
    const server = await start();
    const set = join(folder, 'set.evalset.json');
    writeFileSync(
      set,
      JSON.stringify(writeEvalSet(evalSet([seeded('home', 'Oslo'), evalCase('free', [turn('Rome')])]))),
    );
    const out: string[] = [];
    const io = {
      ...{ out: (text: string) => void out.push(text), err: (text: string) => void out.push(text) },
      ...{ color: false, live: null, environment: {}, signal: new AbortController().signal },
      drain: () => new AbortController().signal,
    };
    const code = await run(
      ['eval', `${server.url}/apps/weather`, set, '--no_run_folder', '--print_detailed_results'],
      io,
    );
    expect(out.join('')).toContain('2 passed');
    expect(code).toBe(0);
    const sent = server.requests.find(({ path }) => path === '/run')?.body as Record<string, Json>;
    expect(sent).toMatchObject({ appName: 'weather', newMessage: { role: 'user' } });
    expect(server.sessions).toStrictEqual([]);
  });
});
