import type { LanguageModel, Tools } from '@agent-criteria/core';
import { testTools } from '@agent-criteria/core/testing';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { answer, ask, caller, httpError, modelOf, signal } from './__fixtures__/calls.ts';
import { answering, httpModel, type Reply, serve, type TestServer } from './__fixtures__/http-model.ts';
import type { CallEvent } from './call-event.ts';
import { callPolicies, type RunCallPolicies } from './call-policies.ts';
import type { CallPolicyOptions } from './call-policy-options.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/**
 * Skips the waits between retries, which are three quarters of the maximum. Other timers, such as those of `fetch`,
 * still run.
 */
function inNoTime(): void {
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  const waits = new Set([3_750, 7_500, 15_000, 30_000, 60_000, 90_000]);
  const wait = globalThis.setTimeout;
  const quick: (...args: Parameters<typeof setTimeout>) => unknown = (run, milliseconds, ...rest) =>
    wait(run, waits.has(milliseconds ?? 0) ? 0 : milliseconds, ...rest);
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(quick as typeof setTimeout);
}

async function serving(...replies: readonly Reply[]): Promise<TestServer> {
  const server = await serve(...replies);
  onTestFinished(() => server.close());
  return server;
}

interface Asking {
  readonly policies: RunCallPolicies;
  readonly tools: Tools;
  /** Makes different requests at once, and returns each one's text or error message. */
  all(count: number, model?: string): Promise<readonly string[]>;
}

let asked = 0;
async function asking(models: readonly LanguageModel[], options: CallPolicyOptions = {}): Promise<Asking> {
  const policies = await callPolicies({ cache: false, ...options });
  const given = testTools({ models: Object.fromEntries(models.map((model) => [model.id, model])) });
  const tools = policies.apply(given, caller());
  const one = async (name: string) => {
    asked += 1;
    const made = tools.model(name).generate(ask(`question ${asked}`), signal());
    return made.then(
      ({ text }) => text,
      (error: Error) => error.message,
    );
  };
  const all = (count: number, model = models[0]?.id ?? '') =>
    Promise.all(Array.from({ length: count }, () => one(model)));
  return { policies, tools, all };
}

const down = answering('{"error":{"message":"out of order"}}', 500);

describe('the circuit breaker of a model that is down', () => {
  it('opens after three calls have failed with all their retries', async () => {
    inNoTime();
    const server = await serving(down);
    const events: CallEvent[] = [];
    const { policies, all } = await asking([httpModel(server.url)], { onEvent: (event) => events.push(event) });
    const answers: string[] = [];
    const worker = async () => {
      while (answers.length < 60) answers.push(...(await all(1)));
    };
    await Promise.all(Array.from({ length: 16 }, worker));
    // Includes at most the calls in flight: 16 calls with 7 attempts each. Without a circuit breaker, 60 calls would
    // make 420.
    expect(server.count()).toBeGreaterThanOrEqual(21);
    expect(server.count()).toBeLessThanOrEqual(16 * 7);
    const spared = answers.filter((text) => text.includes('http/test is down: 3 calls in a row failed (21 attempts)'));
    expect(spared.length).toBeGreaterThan(40);
    expect(spared[0]).toMatch(/server error \(HTTP 500\): out of order/);
    expect(events.filter(({ type }) => type === 'down')).toHaveLength(1);
    const before = server.count();
    await all(10);
    expect(server.count()).toBe(before);
    expect(await policies.close()).toEqual([
      {
        code: 'CALL_FAILED',
        message: `http/test was down (server error (HTTP 500): out of order): ${answers.filter((text) => text.includes('is down')).length + 10} calls to it were given up, so some scores could not be judged. Resume the run when it answers again`,
      },
    ]);
  });

  it.each([
    [undefined, 21],
    [1, 20],
    [0, 20],
  ])('with maxRetries %s, opens after %d requests in consecutive calls', async (maxRetries, requests) => {
    inNoTime();
    const server = await serving(down);
    const { all } = await asking([httpModel(server.url)], { maxRetries });
    for (let call = 0; call < 40; call++) await all(1);
    expect(server.count()).toBe(requests);
  });

  /** Starts a server that advances the clock by a second with each request. */
  async function slowly(...replies: readonly Reply[]): Promise<TestServer> {
    vi.useFakeTimers({ toFake: ['performance'] });
    inNoTime();
    const each = replies.map(
      (reply): Reply =>
        (...given) => {
          vi.advanceTimersByTime(1_000);
          reply(...given);
        },
    );
    return serving(...each);
  }

  const many = (reply: Reply, count: number) => Array.from({ length: count }, () => reply);

  it('opens sooner if the model has never answered', async () => {
    const server = await slowly(down);
    const { all } = await asking([httpModel(server.url)]);
    const answers = await all(60);
    // 20 seconds, plus the calls in flight at the end of them.
    expect(server.count()).toBeGreaterThanOrEqual(20);
    expect(server.count()).toBeLessThanOrEqual(20 + 2 * 16);
    expect(answers.at(-1)).toMatch(
      /is down: it never answered, and \d+ attempts of \d+ calls failed, the last with: server error/,
    );
    expect(answers.filter((text) => text.includes('is down')).length).toBeGreaterThan(50);
  });

  it.each([
    ['starts within twenty seconds', many(down, 18)],
    ['has answered once', [answering('yes'), ...many(down, 60)]],
    ['refuses a call in between', [answering('no', 400), ...many(down, 60)]],
    ['says that it is overloaded', many(answering('busy', 503), 60)],
    ['limits its rate', many(answering('slow down', 429), 60)],
    ['limits its rate, and says how long', many(answering('slow down', 429, { 'retry-after': '0' }), 60)],
  ])('allows all retries if the model %s', async (_what, replies) => {
    const server = await slowly(...replies, answering('yes'));
    const { policies, all } = await asking([httpModel(server.url)]);
    const answers = [...(await all(1)), ...(await all(31))];
    expect(answers.slice(1)).toEqual(Array(31).fill('yes'));
    expect(await policies.close()).toEqual([]);
  });

  it('counts the requests of each call, including calls that were never sent', async () => {
    inNoTime();
    const server = await serving(answering('yes'), ...many(down, 2), answering('yes'), down);
    const policies = await callPolicies({ cache: false });
    const model = httpModel(server.url);
    const tools = policies.apply(testTools({ models: { [model.id]: model } }), caller());
    const requests: (number | undefined)[] = [];
    for (let call = 0; call < 10; call += 1) {
      const made = tools.model(model.id).generate(ask(`counted ${call}`), signal());
      requests.push(
        await made.then(
          ({ requests: sent }) => sent ?? 1,
          ({ requests: sent }) => sent,
        ),
      );
    }
    expect(requests).toEqual([1, 3, 7, 7, 7, 0, 0, 0, 0, 0]);
    expect(server.count()).toBe(25);
    expect(policies.spent().calls).toBe(25);
  });

  it('does not affect other models, and applies to services', async () => {
    const server = await serving(down);
    const { tools, all } = await asking([httpModel(server.url), modelOf(async () => answer('fine'), 'other')], {
      maxRetries: 0,
    });
    for (let call = 0; call < 30; call++) await all(1);
    expect(await all(2, 'other')).toEqual(['fine', 'fine']);
    const send = vi.fn(async () => {
      throw httpError(503);
    });
    for (let call = 0; call < 30; call++) {
      await expect(tools.call({ service: 'scales', request: call }, send)).rejects.toThrow('scales');
    }
    expect(send).toHaveBeenCalledTimes(20);
  });

  it('closes when a call in flight is answered', async () => {
    const gates: (() => void)[] = [];
    const model = modelOf(async ({ messages }) => {
      const text = JSON.stringify(messages);
      if (!text.includes('slow')) throw httpError(500);
      await new Promise<void>((open) => gates.push(open));
      return answer('at last');
    });
    const { tools, all } = await asking([model], { maxRetries: 1 });
    const generate = (text: string) => tools.model('test-model').generate(ask(text), signal());
    const slow = generate('slow');
    await vi.waitFor(() => expect(gates).toHaveLength(1));
    inNoTime();
    await all(12);
    vi.restoreAllMocks();
    expect((await all(1))[0]).toContain('is down');
    gates[0]?.();
    expect(await slow).toMatchObject({ text: 'at last' });
    // The answer closed the circuit breaker.
    inNoTime();
    expect((await all(1))[0]).not.toContain('is down');
  });

  it('ends the waits of other calls when it opens', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    let first = true;
    const model = modelOf(async () => {
      const more = first ? { headers: { 'retry-after': '250' } } : {};
      first = false;
      throw httpError(500, more);
    });
    const { tools, all } = await asking([model], { concurrency: { calls: 1 } });
    const waiting = tools.model('test-model').generate(ask('waits'), signal());
    const ended = expect(waiting).rejects.toThrow('is down');
    await vi.waitFor(() => expect(first).toBe(false));
    inNoTime();
    await all(3);
    await ended;
  });

  it('probes once a minute, and closes when a probe is answered', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const replies = Array.from({ length: 22 }, () => down);
    const server = await serving(...replies.slice(0, 21), answering('back'));
    const { all } = await asking([httpModel(server.url)], { maxRetries: 0 });
    for (let call = 0; call < 30; call++) await all(1);
    expect(server.count()).toBe(20);
    vi.advanceTimersByTime(59_000);
    await all(5);
    expect(server.count()).toBe(20);
    vi.advanceTimersByTime(1_500);
    // One call is the probe; the others do not wait for it.
    expect((await all(5)).filter((text) => text.includes('is down'))).toHaveLength(4);
    expect(server.count()).toBe(21);
    await all(5);
    expect(server.count()).toBe(21);
    vi.advanceTimersByTime(60_500);
    expect((await all(1))[0]).toBe('back');
    expect(await all(5)).toEqual(Array(5).fill('back'));
  });
});

describe('the circuit breaker of a model that rejects some calls', () => {
  it.each([
    ['a bad request', answering('{"error":{"message":"the prompt is too long"}}', 400)],
    ['a content filter', answering('{"error":{"message":"blocked","code":"content_filter"}}', 400)],
    ['a rate limit that says how long it lasts', answering('slow down', 429, { 'retry-after': '0' })],
    ['a rate limit that does not', answering('slow down', 429)],
    ['a quota', answering('{"error":{"message":"insufficient_quota"}}', 429)],
  ])('stays closed: %s', async (_what, reply) => {
    const server = await serving(reply);
    const { policies, all } = await asking([httpModel(server.url)], { maxRetries: 0 });
    for (let call = 0; call < 40; call++) expect((await all(1))[0]).not.toContain('is down');
    expect(server.count()).toBe(40);
    expect(await policies.close()).toEqual([]);
  });

  it('stays closed if one prompt in twenty is rejected or answered', async () => {
    for (const other of [answering('{"error":{"message":"no"}}', 400), answering('yes')]) {
      const replies = Array.from({ length: 80 }, (_, index) => (index % 20 === 19 ? other : down));
      const server = await serving(...replies);
      const { all } = await asking([httpModel(server.url)], { maxRetries: 0 });
      for (let call = 0; call < 79; call++) await all(1);
      expect(server.count()).toBe(79);
    }
  });

  it('stays closed after other errors', async () => {
    const generate = vi.fn(async () => {
      throw new Error('a mistake of the model');
    });
    const { all } = await asking([modelOf(generate)], { maxRetries: 0 });
    for (let call = 0; call < 40; call++) await all(1);
    expect(generate).toHaveBeenCalledTimes(40);
  });
});
