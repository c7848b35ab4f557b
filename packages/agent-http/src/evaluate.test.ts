import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCommand } from '@agent-criteria/cli';
import {
  type Criterion,
  contentText,
  defineCriterion,
  type EvalCase,
  type Json,
  noOptions,
  toolCalls,
} from '@agent-criteria/core';
import { createRegistry } from '@agent-criteria/core/host';
import { evalCase, evalSet } from '@agent-criteria/core/testing';
import { writeEvalSet } from '@agent-criteria/formats/parse';
import { evaluate } from '@agent-criteria/project';
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

/** An agent that remembers the last message, calls a tool, and fails on the message "break". */
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
  calls: [{ name: 'look_up', args: { city } }],
});
const seeded = (id: string, city: string): EvalCase =>
  evalCase(id, [turn('here', city), turn('there', city)], {
    sessionInput: { appName: 'weather', userId: 'ann', state: { city } },
  });

/** Passes if the answer equals the expected one. */
const sameAnswer: Criterion = defineCriterion({
  name: 'same_answer',
  origin: { package: 'test', version: '1.0.0' },
  description: 'The answer is the one that was expected.',
  decides: true,
  range: { min: 0, max: 1, better: 'higher' },
  options: noOptions,
  scope: 'turn',
  evaluate: ({ actual, expected }) => ({
    value: Number(contentText(actual.finalResponse) === contentText(expected?.finalResponse)),
    reason: 'compared',
  }),
});

describe('a run of an agent behind a URL', () => {
  it.each(['python', 'typescript'] as const)('uses a separate session and state per case (%s)', async (dialect) => {
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
  });

  it('records an error for the case whose agent fails, and still runs the others', async () => {
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

  it.each([
    ['interrupted', { interrupted: true }],
    ['MAX_TOKENS', { finishReason: 'MAX_TOKENS' }],
  ])('does not score a case whose answer was cut off (%s), except in compat mode', async (reason, mark) => {
    // The calls are correct, and so is the answer except for the cut-off.
    const cut: FakeAdkAgent = function* ({ text, session }) {
      for (const event of weather({ text, session } as never) as Iterable<Record<string, Json>>) {
        const isLast = text === 'Oslo' && JSON.stringify(event).includes('degrees');
        yield isLast ? { ...event, ...mark } : event;
      }
    };
    const server = await start({ apps: { weather: cut } });
    const calls: Criterion = defineCriterion({
      name: 'calls',
      description: 'Something was called.',
      needs: { reference: 'tools' },
      evaluate: ({ actual }) => ({ value: Math.min(toolCalls(actual).length, 1) }),
    });
    const evaluated = (compat: 'adk' | undefined) =>
      evaluate({
        agent: `${server.url}/apps/weather`,
        evalSet: evalSet([evalCase('cut', [turn('Rome'), turn('Oslo')])]),
        config: { criteria: { same_answer: 1, calls: 1 } },
        registry: createRegistry([sameAnswer, calls, httpAgents()]),
        compat,
      });
    const result = await evaluated(undefined);
    expect(result.exitCode).toBe(3);
    const [only] = result.cases;
    expect(only?.verdict).toBe('not-evaluated');
    expect(only?.criteria).toMatchObject([
      {
        verdict: 'not-evaluated',
        reason: `coverage 50 % is below 100 %: 1 of 2 turns could not be judged: the agent's answer was cut off (${reason})`,
      },
      { verdict: 'passed' },
    ]);
    const { inference } = result.inferences[0]!;
    expect(inference.cutOff).toStrictEqual([{ turn: 1, reason }]);
    expect(inference.ending).toStrictEqual({
      by: 'end-of-case',
      reason: `turn 2: the answer was cut off (${reason})`,
    });
    expect((await evaluated('adk')).exitCode).toBe(0);
  });

  it('closes the socket and deletes the session when a turn times out', async () => {
    const server = await start();
    // The list of apps, the session, its state, the app info, the state again and the first turn succeed. The second
    // turn hangs.
    server.fail(null, null, null, null, null, null, faults.hang);
    const result = await evaluate({
      agent: `${server.url}/apps/weather`,
      evalSet: evalSet([evalCase('slow', [turn('Rome'), turn('Oslo')])]),
      config: { criteria: { same_answer: 1 } },
      registry: createRegistry([sameAnswer, httpAgents()]),
      // Far longer than the first turn takes.
      turnTimeout: 1500,
    });
    expect(result.inferences[0]?.inference.invocations).toHaveLength(1);
    expect(result.inferences[0]?.inference.ending).toMatchObject({
      by: 'error',
      of: 'agent',
      error: { code: 'TIMEOUT' },
    });
    await expect.poll(() => server.requests.filter(({ path }) => path === '/run').at(-1)?.aborted).toBe(true);
    await expect.poll(() => server.sessions).toStrictEqual([]);
  });

  it('reads the bearer token from the environment', async () => {
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

/** Creates a project in a new folder and returns a function that runs commands in it. */
function project(...cases: EvalCase[]) {
  const folder = mkdtempSync(join(tmpdir(), 'agent-http-'));
  cleanUp.push(() => rmSync(folder, { recursive: true, force: true }));
  const set = join(folder, 'set.evalset.json');
  writeFileSync(set, JSON.stringify(writeEvalSet(evalSet(cases))));
  const runs = join(folder, 'runs');
  // The doctor command inspects the whole working directory.
  const before = process.cwd();
  process.chdir(folder);
  cleanUp.push(() => process.chdir(before));
  mkdirSync('node_modules/@agent-criteria', { recursive: true });
  symlinkSync(fileURLToPath(new URL('..', import.meta.url)), 'node_modules/@agent-criteria/agent-http');
  const command = async (args: readonly string[], drain = new AbortController().signal) => {
    const [out, err]: string[][] = [[], []];
    const code = await runCommand([...args, '--runs_folder', runs], {
      out: (text) => void out?.push(text),
      raw: (text) => void out?.push(text),
      width: { out: Number.POSITIVE_INFINITY, err: Number.POSITIVE_INFINITY },
      err: (text) => void err?.push(text),
      color: false,
      live: null,
      environment: process.env,
      signal: new AbortController().signal,
      drain: () => drain,
    });
    return { code, out: out?.join('') ?? '', err: err?.join('') ?? '' };
  };
  return { set, runs, command };
}

const cities = (...names: string[]) => names.map((name) => evalCase(name, [turn(name)]));

describe('agent-criteria eval <url>', () => {
  it('evaluates the agent', async () => {
    const server = await start();
    const { set, command } = project(seeded('home', 'Oslo'), ...cities('Rome'));
    const { code, out } = await command(['eval', `${server.url}/apps/weather`, set, '--print_detailed_results']);
    expect(out).toContain('2 passed');
    expect(code).toBe(0);
    const sent = server.requests.find(({ path }) => path === '/run')?.body as Record<string, Json>;
    expect(sent).toMatchObject({ appName: 'weather', newMessage: { role: 'user' } });
    expect(server.sessions).toStrictEqual([]);
  });

  it('stores the URL, so that an interrupted run can be resumed', async () => {
    const drain = new AbortController();
    const seen: string[] = [];
    const server = await start({
      apps: {
        *weather(asked) {
          seen.push(asked.text);
          if (asked.text === 'Oslo') drain.abort();
          yield* weather(asked);
        },
      },
    });
    const url = `${server.url}/apps/weather`;
    const { set, command } = project(...cities('Rome', 'Oslo', 'Bonn', 'Kyiv'));
    const cut = await command(['eval', url, set, '--concurrency_agents', '1'], drain.signal);
    expect(cut.code).toBe(130);
    expect(seen).toStrictEqual(['Rome', 'Oslo']);
    const [listed] = JSON.parse((await command(['runs', '--json'])).out);
    expect(listed).toMatchObject({ agent: url, endedAt: null });
    const history = await command(['report', '--eval-history']);
    expect([history.code, history.err]).toEqual([
      2,
      expect.stringContaining('--eval-history needs an agent with a folder'),
    ]);

    const { code, out, err } = await command(['resume']);
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('4 passed');
    expect(seen).toStrictEqual(['Rome', 'Oslo', 'Bonn', 'Kyiv']);
    // Resuming a finished run needs no server.
    const asked = server.requests.length;
    expect((await command(['resume'])).code).toBe(0);
    expect(server.requests).toHaveLength(asked);
  });

  const wrong: readonly [string, (server: FakeAdkServer) => string, FakeAdkOptions, string][] = [
    ['nothing listens', () => 'http://127.0.0.1:9/apps/weather', {}, 'nothing listens at http://127.0.0.1:9'],
    ['the app does not exist', ({ url }) => `${url}/apps/whether`, {}, 'the server has no app "whether": it has http'],
    ['the server has several apps', ({ url }) => url, { apps: { weather, news: weather } }, 'the server has 2 apps'],
    [
      'the server requires a token',
      ({ url }) => `${url}/apps/weather`,
      { token: 's3cret' },
      'AGENT_CRITERIA_AGENT_TOKEN',
    ],
  ];
  it.each(wrong)('reports only once, before anything runs, that %s', async (_what, urlOf, options, told) => {
    const server = await start(options);
    const { set, runs, command } = project(...cities('Rome', 'Oslo', 'Bonn'));
    for (const args of [['eval'], ['generate']]) {
      const { code, out, err } = await command([...args, urlOf(server), set]);
      expect(err.split(told)).toHaveLength(2);
      expect([code, out]).toEqual([2, '']);
    }
    expect(readdirSync(runs)).toStrictEqual([]);
    expect(server.sessions).toStrictEqual([]);
    const doctor = await command(['doctor', urlOf(server)]);
    expect(doctor.out).toContain(told);
    expect(doctor.code).toBe(2);
  });

  it('runs even if the server does not list its apps or is busy', async () => {
    const { set, command } = project(...cities('Rome'));
    const closed = await start({ without: ['/list-apps'] });
    expect((await command(['eval', `${closed.url}/apps/weather`, set])).code).toBe(0);
    const busy = await start();
    busy.fail({ status: 503, body: 'later' });
    expect((await command(['eval', `${busy.url}/apps/weather`, set])).code).toBe(0);
    const gateway = await start();
    gateway.fail({ status: 403, body: { message: 'Missing Authentication Token' } });
    expect((await command(['eval', `${gateway.url}/apps/weather`, set])).code).toBe(0);
  });

  it('rejects invalid headers in the environment without showing them', async () => {
    const server = await start();
    vi.stubEnv('AGENT_CRITERIA_AGENT_HEADERS', 'x-key: s3cret');
    const { set, command } = project(...cities('Rome', 'Oslo'));
    for (const args of [
      ['eval', server.url, set],
      ['doctor', server.url, '--offline'],
    ]) {
      const { code, out, err } = await command(args);
      expect(code).toBe(2);
      expect((out + err).split('AGENT_CRITERIA_AGENT_HEADERS must be a JSON object of headers')).toHaveLength(2);
      expect(out + err).not.toContain('s3cret');
    }
    expect(server.requests).toStrictEqual([]);
  });

  it('is checked by the doctor command, which lists the adapter', async () => {
    const server = await start();
    const { command } = project(...cities('Rome'));
    const { code, out } = await command(['doctor', `${server.url}/apps/weather`]);
    expect(out).toMatch(/^ {2}agent-adapter http of @agent-criteria\/agent-http /m);
    expect(out).toContain('No problems found.');
    expect([code, server.requests.map(({ path }) => path)]).toEqual([0, ['/list-apps']]);
  });

  it('rejects an agent name in addition to the URL', async () => {
    const server = await start();
    const { set, command } = project(...cities('Rome'));
    const { code, err } = await command(['eval', server.url, set, '--agent_name', 'root']);
    expect(err).toContain('an agent behind a URL is a single agent');
    expect(code).toBe(2);
  });
});
