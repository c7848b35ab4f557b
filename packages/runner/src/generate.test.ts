import { getMaxListeners } from 'node:events';
import {
  type Agent,
  type AgentDescription,
  type AgentFunction,
  type AgentTurn,
  type Content,
  contentText,
  defineCriterion,
  type EvalSet,
  noOptions,
  type Part,
  toolCalls,
  type UserMove,
  type UserSession,
  type UserSimulator,
} from '@agent-criteria/core';
import { type CallPolicies, createRegistry, type Plan, resolveEvalConfig } from '@agent-criteria/core/host';
import { evalCase, evalSet, message } from '@agent-criteria/core/testing';
import { toolTrajectory } from '@agent-criteria/criteria-trajectory/pure';
import { describe, expect, it, vi } from 'vitest';
import { deepFreeze, deferred, echo, never, sessionAgent } from './__fixtures__/agents.ts';
import type { AgentInput } from './agents.ts';
import { type GenerateSettings, generate } from './generate.ts';

const config = { criteria: { tool_trajectory_avg_score: 1 } };

function planFor(set: EvalSet, registry = createRegistry([toolTrajectory])): Plan {
  return resolveEvalConfig({ evalSet: set, config, registry });
}

const onePlan = planFor(evalSet([evalCase('one', [{ user: 'Hello' }])]));
const twoTurns = planFor(evalSet([evalCase('two', [{ user: 'first' }, { user: 'second' }])]));

async function runOne(agent: AgentInput, more: GenerateSettings = {}) {
  const [only] = await generate({ plan: onePlan, agent, ...more });
  if (only === undefined) throw new Error('there is no inference');
  return only.inference;
}

const words = (inference: {
  invocations: readonly { finalResponse?: { parts?: readonly { text?: string | null }[] | null } | null }[];
}) => inference.invocations.map((invocation) => contentText(invocation.finalResponse as never));

describe('generate', () => {
  it('checks the agent before running any case', async () => {
    const down = { code: 'AGENT_FAILED', message: 'nobody is at home' } as const;
    let [asked, opened] = [0, 0];
    const agent: Agent = {
      ...sessionAgent(() => {
        opened += 1;
        return {};
      }),
      check: async () => {
        asked += 1;
        return [down];
      },
    };
    const plan = planFor(evalSet(['a', 'b'].map((id) => evalCase(id, [{ user: id }]))));
    await expect(generate({ plan, agent })).rejects.toMatchObject({ problems: [down] });
    expect([asked, opened]).toEqual([1, 0]);
    // An aborted run yields inferences that ended in an abort.
    const signal = AbortSignal.abort();
    expect((await generate({ plan, agent, signal })).map(({ inference }) => inference.ending.by)).toEqual([
      'abort',
      'abort',
    ]);
  });

  it('records every turn of every case, in case order', async () => {
    const plan = planFor(evalSet(['slow', 'fast'].map((id) => evalCase(id, [{ user: id }, { user: `${id} again` }]))));
    const slow = deferred<void>();
    const finished: string[] = [];
    const agent: AgentFunction = async (text, { key }) => {
      if (key.caseId === 'slow') await slow.promise;
      if (text.endsWith('again')) finished.push(key.caseId);
      if (text === 'fast again') slow.resolve();
      return text;
    };
    const inferences = await generate({ plan, agent });
    expect(finished).toEqual(['fast', 'slow']);
    expect(inferences.map(({ key }) => key.caseId)).toEqual(['slow', 'fast']);
    expect(inferences.map(({ inference }) => words(inference))).toEqual([
      ['slow', 'slow again'],
      ['fast', 'fast again'],
    ]);
    expect(inferences.map(({ inference }) => inference.ending)).toEqual([{ by: 'end-of-case' }, { by: 'end-of-case' }]);
  });

  it('returns plain JSON with a time and a duration for every turn', async () => {
    const before = Date.now() / 1000;
    const inference = await runOne(() => ({ text: 'hi', toolCalls: [{ name: 'look', args: { at: undefined } }] }));
    expect(JSON.parse(JSON.stringify(inference))).toEqual(inference);
    const [turn] = inference.invocations;
    expect(turn?.creationTimestamp).toBeGreaterThanOrEqual(before);
    expect(turn?.duration).toBeGreaterThanOrEqual(0);
    expect(inference.state).toEqual({ initial: {}, final: {} });
  });

  it.each([1, 3])('opens at most %i sessions at once', async (concurrency) => {
    const plan = planFor(
      evalSet(
        Array.from({ length: 8 }, (_, index) => evalCase(`case${index}`, [{ user: 'Hello' }, { user: 'Hello' }])),
      ),
    );
    let open = 0;
    let most = 0;
    const agent = sessionAgent(() => {
      open += 1;
      most = Math.max(most, open);
      return {
        send: async (content) => {
          await new Promise((done) => setTimeout(done, 2));
          return echo(content);
        },
        close: async () => {
          await new Promise((done) => setTimeout(done, 2));
          open -= 1;
        },
      };
    });
    await generate({ plan, agent, concurrency: { agents: concurrency } });
    expect(most).toBe(concurrency);
    expect(open).toBe(0);
  });

  it('opens 4 sessions at once by default', async () => {
    const plan = planFor(
      evalSet(Array.from({ length: 9 }, (_, index) => evalCase(`case${index}`, [{ user: 'Hello' }]))),
    );
    const gate = deferred<void>();
    let open = 0;
    const agent: AgentFunction = async () => {
      open += 1;
      if (open === 4) setTimeout(gate.resolve, 10);
      await gate.promise;
      return String(open);
    };
    const inferences = await generate({ plan, agent });
    expect(inferences.slice(0, 4).map(({ inference }) => words(inference)[0])).toEqual(['4', '4', '4', '4']);
  });

  it.each<[string, GenerateSettings]>([
    ['repeats', { repeats: 0 }],
    ['concurrency.agents', { concurrency: { agents: -1 } }],
    ['turnTimeout', { turnTimeout: 1.5 }],
    ['turnTimeout', { turnTimeout: Number.NaN }],
    ['concurrency.agents', { concurrency: { agents: Number.POSITIVE_INFINITY } }],
  ])('rejects an invalid %s: %o', async (name, more) => {
    await expect(runOne(() => 'x', more)).rejects.toThrow(`${name} must be a whole number`);
  });
});

describe('generate() sessions', () => {
  const seeded = evalCase('seeded', [{ user: 'look' }, { user: 'take' }], {
    sessionInput: { appName: 'app', userId: 'ann', state: { apples: ['red'] } },
  });

  it("are separate for every case and repeat, and start with the case's state", async () => {
    const set = deepFreeze(evalSet([seeded, { ...seeded, evalId: 'other' }]));
    const seen: unknown[] = [];
    const agent: AgentFunction = (_text, { state, userId }) => {
      seen.push(structuredClone({ state, userId }));
      (state.apples as string[]).push('green');
      state.extra = true;
      return 'ok';
    };
    const inferences = await generate({ plan: planFor(set), agent, repeats: 2, concurrency: { agents: 1 } });
    const first = { userId: 'ann', state: { apples: ['red'] } };
    const second = { userId: 'ann', state: { apples: ['red', 'green'], extra: true } };
    expect(seen).toEqual([first, second, first, second, first, second, first, second]);
    for (const { inference } of inferences) {
      expect(inference.state.initial).toEqual({ apples: ['red'] });
      expect(inference.state.final).toEqual({ apples: ['red', 'green', 'green'], extra: true });
    }
    expect(new Set(inferences.map(({ inference }) => inference.sessionId)).size).toBe(4);
    expect(set.evalCases[0]?.sessionInput?.state).toEqual({ apples: ['red'] });
  });

  it.each([[undefined], [null], [{ appName: 'a', userId: '' }]])(
    "use ADK's default user if the case names none: %j",
    async (sessionInput) => {
      const plan = planFor(evalSet([evalCase('one', [{ user: 'Hello' }], { sessionInput: sessionInput as never })]));
      let user: string | undefined;
      await generate({ plan, agent: (_text, session) => (user = session.userId) });
      expect(user).toBe('test_user_id');
    },
  );

  it('report truncated answers indicated by events', async () => {
    const evalCases = [evalCase('one', [{ user: 'a' }, { user: 'b' }, { user: 'c' }])];
    const marks: Record<string, object> = { b: { finishReason: 'MAX_TOKENS' }, c: { interrupted: true } };
    const agent: AgentFunction = (message, { content }) => ({
      userContent: content,
      finalResponse: { role: 'model', parts: [{ text: message }] },
      intermediateData: { invocationEvents: [{ author: 'it', content: null, ...marks[message] }] },
    });
    const [only] = await generate({ plan: planFor(evalSet(evalCases)), agent });
    expect(only?.inference.cutOff).toEqual([
      { turn: 1, reason: 'MAX_TOKENS' },
      { turn: 2, reason: 'interrupted' },
    ]);
    expect(only?.inference.ending.reason).toBe(
      'turn 2: the answer was cut off (MAX_TOKENS); turn 3: the answer was cut off (interrupted)',
    );
    const [whole] = await generate({ plan: planFor(evalSet(evalCases)), agent: (message) => message });
    expect(whole?.inference).not.toHaveProperty('cutOff');
    expect(whole?.inference.ending).toEqual({ by: 'end-of-case' });
  });

  it("use the case's session id in the first repeat only", async () => {
    const pinned = evalCase('one', [{ user: 'Hello' }], {
      sessionInput: { appName: 'a', userId: 'u', sessionId: 'pinned' },
    });
    const inferences = await generate({ plan: planFor(evalSet([pinned])), agent: () => 'x', repeats: 3 });
    const ids = inferences.map(({ inference }) => inference.sessionId);
    expect(ids[0]).toBe('pinned');
    expect(ids.slice(1).every((id) => id.startsWith('agent-criteria-'))).toBe(true);
    expect(new Set(ids).size).toBe(3);
    expect(inferences.map(({ key }) => key.repeat)).toEqual([0, 1, 2]);
  });

  it('receive ids and messages, but no references', async () => {
    const starts: unknown[] = [];
    const agent: Agent = sessionAgent((start) => {
      starts.push(start);
      return {};
    });
    await generate({ plan: planFor(evalSet([evalCase('one', [{ user: 'q', answer: 'secret' }])])), agent });
    expect(JSON.stringify(starts)).not.toContain('secret');
    expect(starts).toEqual([
      expect.objectContaining({ key: { setId: 'set', caseId: 'one', repeat: 0 }, userId: 'test_user_id', state: {} }),
    ]);
  });

  it('receive copies, so that they cannot change the eval set', async () => {
    const sessionInput = { appName: 'app', userId: 'ann', state: { apples: ['red'] } };
    const set = evalSet([evalCase('seeded', [{ user: 'look' }], { sessionInput })]);
    const before = structuredClone(set);
    const agent = sessionAgent((start) => {
      Object.assign(start.key, { caseId: 'forged' });
      (start.state.apples as string[]).push('green');
      return {
        send: async (content) => {
          (content.parts as Part[]).push({ text: 'forged' });
          return echo(content);
        },
      };
    });
    const [only] = await generate({ plan: planFor(set), agent });
    expect(words(only!.inference)).toEqual(['look\nforged']);
    expect(set).toEqual(before);
    expect(only?.key.caseId).toBe('seeded');
  });

  it('record a copy of the state', async () => {
    const state = { count: 0 };
    const send = async (content: Content) => {
      state.count += 1;
      return echo(content);
    };
    const inference = await runOne(sessionAgent(() => ({ send, state: async () => state })));
    expect(inference.state).toEqual({ initial: { count: 0 }, final: { count: 1 } });
  });

  it("record a copy of the agent's reply", async () => {
    const call = { name: 'count', args: { n: 0 } };
    const agent: AgentFunction = (text) => {
      call.args.n += 1;
      return { text, toolCalls: [call] };
    };
    const [only] = await generate({ plan: twoTurns, agent });
    expect(only?.inference.invocations.map((turn) => toolCalls(turn)[0]?.args)).toEqual([{ n: 1 }, { n: 2 }]);
  });

  it('are closed once, even after a failure', async () => {
    const closed = vi.fn(async () => undefined);
    const fails = sessionAgent(() => ({ close: closed, send: () => Promise.reject(new Error('boom')) }));
    await runOne(sessionAgent(() => ({ close: closed })));
    expect(closed).toHaveBeenCalledTimes(1);
    await runOne(fails);
    expect(closed).toHaveBeenCalledTimes(2);
  });

  it('add a note if they cannot be closed or report no final state', async () => {
    const inference = await runOne(
      sessionAgent(() => {
        let asked = 0;
        return {
          state: async () => (++asked === 1 ? {} : Promise.reject(new Error('state gone'))),
          close: () => Promise.reject(new Error('still busy')),
        };
      }),
    );
    expect(inference.ending).toEqual({
      by: 'end-of-case',
      reason: 'reading the final state failed: state gone; closing the session failed: still busy',
    });
    expect(inference.state).toEqual({ initial: {}, final: null });
    expect(words(inference)).toEqual(['Hello']);
  });

  it('do not delay the run if they never close', async () => {
    const inference = await runOne(
      sessionAgent(() => ({ close: never })),
      { turnTimeout: 10 },
    );
    expect(inference.ending).toEqual({
      by: 'end-of-case',
      reason: 'closing the session failed: it took longer than 10 ms',
    });
  });

  it('have no state if the agent reports none', async () => {
    expect((await runOne(sessionAgent(() => ({ state: async () => null })))).state).toEqual({
      initial: null,
      final: null,
    });
  });
});

describe('generate() with a failing agent', () => {
  const failure = (inference: { ending: unknown }) => inference.ending;

  it('records the message, stack and earlier turns, and runs the other cases', async () => {
    const plan = planFor(
      evalSet([
        evalCase('bad', [{ user: 'fine' }, { user: 'boom' }, { user: 'not reached' }]),
        evalCase('good', [{ user: 'Hello' }]),
      ]),
    );
    const agent: AgentFunction = (text) => {
      if (text === 'boom') throw new TypeError('cannot read the menu');
      return text;
    };
    const [bad, good] = await generate({ plan, agent });
    expect(failure(bad!.inference)).toMatchObject({
      by: 'error',
      of: 'agent',
      error: {
        code: 'AGENT_FAILED',
        message: 'turn 2: the agent threw: cannot read the menu',
        stack: expect.stringContaining('generate.test.ts'),
      },
    });
    expect(words(bad!.inference)).toEqual(['fine']);
    expect(bad!.inference.state.final).toBeNull();
    expect(good!.inference.ending).toEqual({ by: 'end-of-case' });
  });

  it.each([
    ['a text', 'just a text', 'turn 1: the agent threw: just a text'],
    ['an object', { status: 500 }, 'turn 1: the agent threw: {"status":500}'],
    ['nothing', undefined, 'turn 1: the agent threw: undefined'],
  ])('records the thrown value: %s', async (_name, thrown, told) => {
    const inference = await runOne(() => {
      throw thrown;
    });
    expect(failure(inference)).toMatchObject({ by: 'error', error: { message: told } });
  });

  it.each<[string, unknown, string]>([
    ['nothing', undefined, 'turn 1: the session returned no turn'],
    ['no invocation', {}, 'turn 1: the session returned no turn'],
    [
      'an invocation without a user message',
      { invocation: {} },
      'turn 1: the agent returned an invalid invocation: invocation',
    ],
    [
      'an answer that is no message',
      { invocation: { userContent: {}, finalResponse: 'hi' } },
      'invocation.finalResponse',
    ],
    [
      'calls that are no list',
      { invocation: { userContent: {}, intermediateData: { toolUses: 'x' } } },
      'intermediateData',
    ],
    ['a key of the prototype', { invocation: JSON.parse('{"userContent": {}, "__proto__": {}}') }, '__proto__'],
  ])('rejects the returned value: %s', async (_name, returned, told) => {
    const inference = await runOne(sessionAgent(() => ({ send: async () => returned as AgentTurn })));
    expect(failure(inference)).toMatchObject({
      by: 'error',
      of: 'agent',
      error: { code: 'AGENT_FAILED', message: expect.stringContaining(told) },
    });
    expect(inference.invocations).toEqual([]);
  });

  it('rejects values that are not JSON', async () => {
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    for (const [args, lost] of [
      [circular, 'args.self is a circular value'],
      [{ n: 1n }, 'args.n is the bigint 1n'],
      // Otherwise, these would equal an expected null or {}.
      [{ n: Number.NaN }, 'args.n is NaN'],
      [{ n: [undefined] }, 'args.n[0] is undefined'],
      [{ n: new Map() }, 'args.n is an instance of Map'],
      [new (class Search {})(), 'args is an instance of Search'],
    ] as const) {
      const inference = await runOne(() => ({
        text: 'hi',
        toolCalls: [{ name: 'x', args: args as Record<string, unknown> }],
      }));
      const error = {
        message: expect.stringContaining(`cannot be saved as JSON: intermediateData.toolUses[0].${lost}`),
      };
      expect(failure(inference)).toMatchObject({ by: 'error', of: 'agent', error });
      expect(inference.invocations).toEqual([]);
    }
  });

  it('rejects calls whose arguments are nested too deeply', async () => {
    let args: Record<string, unknown> = {};
    for (let depth = 0; depth < 100_000; depth++) args = { args };
    const inference = await runOne(() => ({ text: 'hi', toolCalls: [{ name: 'x', args }] }));
    expect(failure(inference)).toMatchObject({ by: 'error', of: 'agent' });
  });

  it('records an error that the agent reports, along with the turn', async () => {
    const error = { code: 'CALL_FAILED' as const, message: 'the model is overloaded' };
    const inference = await runOne(sessionAgent(() => ({ send: async (content) => ({ ...echo(content), error }) })));
    expect(failure(inference)).toEqual({
      by: 'error',
      of: 'agent',
      error: { ...error, message: 'turn 1: the model is overloaded' },
    });
    expect(words(inference)).toEqual(['Hello']);
    const odd = await runOne(
      sessionAgent(() => ({ send: async (content) => ({ ...echo(content), error: new Error('odd') as never }) })),
    );
    expect(failure(odd)).toMatchObject({ error: { code: 'AGENT_FAILED', message: 'turn 1: the agent failed: odd' } });
  });

  it("records the agent's trace", async () => {
    const span = { id: 's', kind: 'tool' as const, name: 'look', turn: 0, startedAt: 1 };
    const inference = await runOne(
      sessionAgent(() => ({ send: async (content) => ({ ...echo(content), trace: [span] }) })),
    );
    expect(inference.trace).toEqual([span]);
  });

  it.each<[string, Agent['open'], string]>([
    ['throw on opening', () => Promise.reject(new Error('no quota')), 'opening the session: the agent threw: no quota'],
    [
      'throw at once on opening',
      () => {
        throw new Error('no quota');
      },
      'opening the session: the agent threw: no quota',
    ],
    ['open nothing', async () => undefined as never, 'opening the session: the agent opened no session'],
    [
      'open something without send',
      async () => ({ id: 'x' }) as never,
      'opening the session: the agent opened no session',
    ],
  ])('records the failure of agents that %s', async (_name, open, told) => {
    const inference = await runOne({ name: 'broken', open });
    expect(failure(inference)).toMatchObject({
      by: 'error',
      of: 'agent',
      error: { message: expect.stringContaining(told) },
    });
    expect(inference.invocations).toEqual([]);
  });

  it('rejects an initial state that is not an object', async () => {
    const inference = await runOne(sessionAgent(() => ({ state: async () => 'nonsense' as never })));
    expect(failure(inference)).toMatchObject({
      by: 'error',
      error: { message: "the state before the first turn: the session's state must be an object or null" },
    });
  });
});

describe('generate() with a turn that takes too long', () => {
  it("names the turn, records the earlier turns, and aborts the agent's signal", async () => {
    let signal: AbortSignal | undefined;
    const agent: AgentFunction = (text, session) => {
      signal = session.signal;
      return text === 'second' ? never() : text;
    };
    const [only] = await generate({ plan: twoTurns, agent, turnTimeout: 20 });
    expect(only?.inference.ending).toMatchObject({
      by: 'error',
      of: 'agent',
      error: { code: 'TIMEOUT', message: 'turn 2: the agent took longer than 20 ms' },
    });
    expect(words(only!.inference)).toEqual(['first']);
    expect(signal?.aborted).toBe(true);
  });

  it('records the partial turn that an agent returns when it stops', async () => {
    const agent = sessionAgent((_start, signal) => ({
      send: (content) =>
        new Promise((resolve) => {
          const { invocation } = echo(content);
          if (signal.aborted) return;
          signal.addEventListener('abort', () => {
            resolve({ invocation: { ...invocation, finalResponse: null }, error: { code: 'ABORTED', message: 'x' } });
          });
        }),
    }));
    const inference = await runOne(agent, { turnTimeout: 20 });
    expect(inference.ending).toMatchObject({ error: { code: 'TIMEOUT' } });
    expect(inference.invocations).toMatchObject([{ userContent: { parts: [{ text: 'Hello' }] }, finalResponse: null }]);
  });

  it('applies the limit to each turn separately', async () => {
    vi.useFakeTimers();
    try {
      const slow: AgentFunction = (text) => new Promise((done) => setTimeout(done, 60, text));
      const running = generate({ plan: twoTurns, agent: slow, turnTimeout: 100 });
      await vi.advanceTimersByTimeAsync(1000);
      const [only] = await running;
      expect(only?.inference.ending).toEqual({ by: 'end-of-case' });
    } finally {
      vi.useRealTimers();
    }
  });

  it('leaves no unhandled rejection if the turn later fails', async () => {
    const late = deferred<string>();
    const inference = await runOne(() => late.promise, { turnTimeout: 5 });
    late.reject(new Error('late'));
    await new Promise((done) => setTimeout(done, 1));
    expect(inference.ending).toMatchObject({ by: 'error', error: { code: 'TIMEOUT' } });
  });

  it('also limits opening, and closes a session that opens too late', async () => {
    const opening = deferred<void>();
    const closed = deferred<void>();
    const agent: Agent = {
      name: 'late',
      async open(start, signal) {
        await opening.promise;
        return sessionAgent(() => ({ close: async () => closed.resolve() })).open(start, signal);
      },
    };
    const inference = await runOne(agent, { turnTimeout: 5 });
    expect(inference.ending).toMatchObject({
      error: { code: 'TIMEOUT', message: 'opening the session: the agent took longer than 5 ms' },
    });
    opening.resolve();
    await closed.promise;
  });
});

describe('generate() with an abort', () => {
  it('opens no session if aborted before the run', async () => {
    const opened = vi.fn(() => ({}));
    const signal = AbortSignal.abort(new Error('interrupted'));
    const inferences = await generate({
      plan: twoTurns,
      agent: sessionAgent(opened),
      signal,
      repeats: 3,
    });
    expect(opened).not.toHaveBeenCalled();
    expect(inferences.map(({ inference }) => inference.ending)).toEqual(
      Array.from({ length: 3 }, () => ({ by: 'abort', reason: 'interrupted' })),
    );
  });

  it('ends the turn at once, closes the session, keeps earlier turns, and starts no other case', async () => {
    const plan = planFor(
      evalSet([evalCase('one', [{ user: 'a' }, { user: 'hang' }]), evalCase('two', [{ user: 'c' }])]),
    );
    const controller = new AbortController();
    const closed = vi.fn(async () => undefined);
    const opened: string[] = [];
    const told = vi.fn();
    const agent = sessionAgent((start, signal) => {
      opened.push(start.key.caseId);
      signal.addEventListener('abort', told);
      return {
        close: closed,
        send(content) {
          if (contentText(content) !== 'hang') return Promise.resolve(echo(content));
          setTimeout(() => controller.abort(new Error('interrupted')), 5);
          return never();
        },
      };
    });
    const inferences = await generate({ plan, agent, signal: controller.signal, concurrency: { agents: 1 } });
    expect(opened).toEqual(['one']);
    expect(closed).toHaveBeenCalledOnce();
    expect(told).toHaveBeenCalledOnce();
    expect(words(inferences[0]!.inference)).toEqual(['a']);
    expect(inferences.map(({ inference }) => inference.ending)).toEqual([
      { by: 'abort', reason: 'interrupted' },
      { by: 'abort', reason: 'interrupted' },
    ]);
  });

  it('does not blame an agent that throws because of the abort', async () => {
    const controller = new AbortController();
    const agent: AgentFunction = (_text, { signal }) =>
      new Promise((_done, fail) => {
        signal.addEventListener('abort', () => fail(new Error('my request was aborted')));
        controller.abort(new Error('interrupted'));
      });
    expect((await runOne(agent, { signal: controller.signal })).ending).toEqual({ by: 'abort', reason: 'interrupted' });
  });

  it('does not wait for a session that never closes', async () => {
    vi.useFakeTimers();
    try {
      const controller = new AbortController();
      const running = runOne(
        sessionAgent(() => ({ send: never, close: never })),
        { signal: controller.signal },
      );
      await vi.advanceTimersByTimeAsync(10);
      controller.abort(new Error('interrupted'));
      await vi.advanceTimersByTimeAsync(1000);
      expect((await running).ending).toMatchObject({ by: 'abort' });
    } finally {
      vi.useRealTimers();
    }
  });

  it('adds one listener to the signal, and removes it at the end', async () => {
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, 'addEventListener');
    const removed = vi.spyOn(signal, 'removeEventListener');
    const plan = planFor(
      evalSet(Array.from({ length: 20 }, (_, index) => evalCase(`case${index}`, [{ user: 'Hello' }]))),
    );
    let most = 0;
    const agent: AgentFunction = (_text, session) => {
      most = Math.max(most, getMaxListeners(session.signal));
      return 'x';
    };
    await generate({ plan, agent, concurrency: { agents: 20 }, signal });
    expect([added.mock.calls.length, removed.mock.calls.length]).toEqual([1, 1]);
    // An agent may add any number of listeners to its own signal: 0 means no limit.
    expect(most).toBe(0);
  });
});

describe('generate() with a simulated user', () => {
  /** Creates a user that follows the script, one entry per turn. Functions are called to produce the move. */
  function scripted(
    script: readonly (UserMove | Error | (() => Promise<UserMove>))[],
    more: Partial<UserSession> = {},
  ): UserSimulator {
    return {
      kind: 'user-simulator',
      specVersion: 1,
      name: 'llm_backed',
      origin: { package: 'test', version: '1.0.0' },
      options: noOptions,
      open: () => ({
        async next(soFar) {
          if (soFar.length >= script.length) throw new Error('the script is over');
          const entry = script[soFar.length] as (typeof script)[number];
          if (entry instanceof Error) throw entry;
          return typeof entry === 'function' ? entry() : entry;
        },
        ...more,
      }),
    };
  }

  const set = evalSet([
    { evalId: 'led', conversationScenario: { startingPrompt: 'Hi', conversationPlan: 'Ask for tea.' } },
  ]);
  const anything = defineCriterion({
    name: 'anything',
    origin: { package: 'test', version: '1.0.0' },
    description: 'Anything will do.',
    decides: true,
    range: { min: 0, max: 1, better: 'higher' },
    options: noOptions,
    scope: 'turn',
    evaluate: () => ({ value: 1 }),
  });
  const say = (text: string): UserMove => ({ message: message('user', text) });

  async function led(simulator: UserSimulator, agent: AgentInput = (text) => text, more: GenerateSettings = {}) {
    const plan = resolveEvalConfig({
      evalSet: set,
      config: { criteria: { anything: 0 } },
      registry: createRegistry([anything, simulator]),
    });
    const [only] = await generate({ plan, agent, ...more });
    return only!.inference;
  }

  it('continues until the user ends the conversation', async () => {
    const inference = await led(
      scripted([say('Hi'), say('Tea, please'), { ending: { by: 'user', reason: 'got it' } }]),
    );
    expect(words(inference)).toEqual(['Hi', 'Tea, please']);
    expect(inference.ending).toEqual({ by: 'user', reason: 'got it' });
  });

  it('sends a last message that comes with an ending', async () => {
    const inference = await led(scripted([{ message: message('user', 'Bye'), ending: { by: 'user' } }]));
    expect(words(inference)).toEqual(['Bye']);
    expect(inference.ending).toEqual({ by: 'user' });
  });

  it('accepts an ending at a turn limit, which is not an error', async () => {
    const inference = await led(scripted([say('Hi'), { ending: { by: 'turn-limit', reason: 'after 1 turn' } }]));
    expect(inference.ending).toEqual({ by: 'turn-limit', reason: 'after 1 turn' });
  });

  it('attributes calls to the turn of the message', async () => {
    const turns: (number | null)[] = [];
    const policies: CallPolicies = {
      apply: (tools, caller) => ({
        ...tools,
        call: (ask, send) => {
          turns.push(caller.turn);
          return tools.call(ask, send);
        },
      }),
      close: async () => [],
    };
    const asking: UserSimulator = {
      ...scripted([]),
      open: (_start, _options, tools) => ({
        async next(soFar) {
          await tools.call({ service: 'words', request: null }, async () => null);
          return soFar.length < 2 ? say('More') : { ending: { by: 'user' } };
        },
      }),
    };
    expect(words(await led(asking, undefined, { policies }))).toHaveLength(2);
    expect(turns).toEqual([0, 1, 2]);
  });

  it('blames a user that throws, and keeps earlier turns', async () => {
    const inference = await led(scripted([say('Hi'), new Error('no model')]));
    expect(inference.ending).toMatchObject({
      by: 'error',
      of: 'user',
      error: { code: 'CALL_FAILED', message: 'turn 2, the simulated user: it threw: no model' },
    });
    expect(words(inference)).toEqual(['Hi']);
  });

  it('blames a user that cannot be opened', async () => {
    const broken = {
      ...scripted([]),
      open: () => {
        throw new Error('no key');
      },
    };
    expect((await led(broken)).ending).toMatchObject({
      of: 'user',
      error: { message: 'opening the simulated user: it threw: no key' },
    });
  });

  it.each([{}, undefined, { message: 'Hi' }, { ending: { by: 'boredom' } }, { message: { role: 'user' } }])(
    'rejects the invalid move %j',
    async (next) => {
      const inference = await led(scripted([next as UserMove]));
      expect(inference.ending).toMatchObject({
        by: 'error',
        of: 'user',
        error: { message: expect.stringContaining('it must return a message') },
      });
    },
  );

  it.each([[], [{ text: '' }], [{ text: ' \n\u200b' }, { thought: true }]])(
    'rejects an empty message %j, even with an ending',
    async (...parts) => {
      const silent = { message: { role: 'user', parts }, ending: { by: 'user' } } as UserMove;
      const inference = await led(scripted([say('Hi'), silent]));
      expect(words(inference)).toEqual(['Hi']);
      expect(inference.ending).toMatchObject({
        by: 'error',
        of: 'user',
        error: { message: expect.stringContaining('turn 2, the simulated user: its message is empty') },
      });
    },
  );

  it('accepts messages without text', async () => {
    const picture = { message: { role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data: 'AA==' } }] } };
    const seeing = Object.assign((text: string) => text, { supportsFiles: true });
    const inference = await led(scripted([picture, { ending: { by: 'user' } }]), seeing);
    expect(inference.ending).toEqual({ by: 'user' });
  });

  it('blames a user that takes too long', async () => {
    const inference = await led(scripted([never]), undefined, { turnTimeout: 5 });
    expect(inference.ending).toMatchObject({
      of: 'user',
      error: { code: 'TIMEOUT', message: 'turn 1, the simulated user: it took longer than 5 ms' },
    });
  });

  it("closes the user at the end, and notes a failure to do so without replacing the agent's error", async () => {
    const close = vi.fn(() => Promise.reject(new Error('stuck')));
    const fine = await led(scripted([{ ending: { by: 'user' } }], { close }));
    expect(fine.ending).toEqual({ by: 'user', reason: 'closing the simulated user failed: stuck' });
    const failing = await led(scripted([say('Hi')], { close }), () => Promise.reject(new Error('boom')));
    expect(failing.ending).toMatchObject({
      by: 'error',
      of: 'agent',
      error: { message: 'turn 1: the agent threw: boom' },
      reason: expect.stringContaining('stuck'),
    });
    expect(close).toHaveBeenCalledTimes(2);
  });

  it('protects the recorded turns from the user', async () => {
    const meddling = scripted([say('Hi'), { ending: { by: 'user' } }]);
    const { open } = meddling;
    meddling.open = (...start) => {
      const session = open(...start);
      return {
        next: async (soFar) => {
          const next = await session.next(soFar);
          (soFar as unknown[]).length = 0;
          return next;
        },
      };
    };
    expect(words(await led(meddling))).toEqual(['Hi']);
  });
});

describe('generate() with tool stubs', () => {
  const stubs = [{ toolName: 'weather', injectionConfigs: [{ injectedResponse: { sky: 'clear' } }] }];
  const plan = planFor(
    evalSet([evalCase('one', [{ user: 'Hello' }], { agentCriteria: { toolSimulationConfigs: stubs } })]),
  );

  it('passes a copy of the stubs to an agent that supports them', async () => {
    const seen: unknown[] = [];
    const agent = sessionAgent(() => ({}));
    const taking: Agent = {
      ...agent,
      supportsStubs: true,
      open(start, signal) {
        seen.push(start.stubs);
        return agent.open(start, signal);
      },
    };
    await generate({ plan, agent: taking });
    expect(seen).toEqual([stubs]);
    expect(seen[0]).not.toBe(plan.stubs.get('one'));
  });

  it('rejects the stubs before the run if the agent has no such tool', async () => {
    const tools = (...names: string[]) => names.map((name) => ({ name }));
    const agent = (description: AgentDescription | null): Agent => ({
      ...sessionAgent(),
      supportsStubs: true,
      describe: async () => description,
    });
    const run = (description: AgentDescription | null) => generate({ plan, agent: agent(description) });
    await expect(run({ name: 'a', tools: tools('wether', 'time') })).rejects.toThrow(
      /stubs the tool "weather", which the agent "sessions" does not have; did you mean "wether"\? \(it has wether, time\)/,
    );
    await expect(run({ name: 'a' })).rejects.toThrow('it has none');
    const below: AgentDescription = { name: 'b', tools: tools('weather') };
    for (const fine of [null, below, { name: 'a', agents: [below] }, { name: 'a', toolsMissing: 'no server' }]) {
      await expect(run(fine)).resolves.toHaveLength(1);
    }
  });

  it("rejects the stubs if the model's service runs the tool, or if the agent's tools cannot be listed", async () => {
    const agent = (describe: () => Promise<AgentDescription>): Agent => ({
      ...sessionAgent(),
      supportsStubs: true,
      describe,
    });
    const search = { name: 'b', tools: [{ name: 'weather' }], modelTools: ['weather'] };
    await expect(generate({ plan, agent: agent(async () => ({ name: 'a', agents: [search] })) })).rejects.toThrow(
      /the case "one" of "set" stubs the tool "weather" of the agent "sessions", which the model's own service runs/,
    );
    const broken = async () => {
      throw new Error('no database');
    };
    await expect(generate({ plan, agent: agent(broken) })).rejects.toMatchObject({
      code: 'AGENT_FAILED',
      message: expect.stringContaining('cannot be listed, so its stubs cannot be checked: no database'),
    });
  });

  it('rejects the stubs before the run if the agent does not support them', async () => {
    await expect(
      generate({
        plan,
        agent: function desk(text) {
          return text;
        },
      }),
    ).rejects.toThrow(/the case "one" of "set" stubs the tool "weather", but the agent "desk" does not support stubs/);
  });
});
