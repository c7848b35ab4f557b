import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Json, LanguageModel, ModelAnswer, Tools } from '@agent-criteria/core';
import { testTools } from '@agent-criteria/core/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { answer, ask, caller, httpError, modelOf, signal } from './__fixtures__/calls.ts';
import type { CallEvent } from './call-event.ts';
import { callPolicies } from './call-policies.ts';
import type { CallPolicyOptions } from './call-policy-options.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'policies-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const after = (milliseconds: number) => new Promise<void>((done) => setTimeout(done, milliseconds));
const toolsOf = (...models: readonly LanguageModel[]) =>
  testTools({ models: Object.fromEntries(models.map((model) => [model.id, model])) });
const never = modelOf(async () => {
  throw new Error('a live call');
});

/** A redaction that is not idempotent. */
const mark = (value: Json): Json => {
  const packed = value as { readonly text: string };
  return { ...packed, text: `${packed.text}, redacted` };
};

/** Skips the waits between retries. */
function inNoTime(): void {
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  const wait = globalThis.setTimeout;
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, milliseconds: number) =>
    wait(run, milliseconds >= 2500 && milliseconds < 100_000 ? 0 : milliseconds)) as typeof setTimeout);
}

describe('callPolicies()', () => {
  it('caches answers by default, separately for each repeat', async () => {
    vi.spyOn(process, 'cwd').mockReturnValue(folder);
    const generate = vi.fn(async () => answer());
    const cache = join(folder, 'cache');
    for (const [repeat, from] of [
      [0, 'live'],
      [1, 'live'],
      [0, 'cache'],
      [1, 'cache'],
    ] as const) {
      const policies = await callPolicies({ cache });
      const judge = policies.apply(toolsOf(modelOf(generate)), caller({ repeat })).model('test-model');
      expect((await judge.generate(ask('hi'), signal())).from).toBe(from);
      expect(await policies.close()).toEqual([]);
    }
    expect(generate).toHaveBeenCalledTimes(2);
  });

  it('caches redacted answers, and returns them', async () => {
    const cache = join(folder, 'cache');
    const redact = (value: Json): Json => JSON.parse(JSON.stringify(value).replaceAll('Ada', 'somebody'));
    const texts: string[] = [];
    for (let count = 0; count < 2; count++) {
      const policies = await callPolicies({ cache, redact });
      const model = modelOf(async () => answer('Ada said it'));
      const judge = policies.apply(toolsOf(model), caller()).model('test-model');
      const { text, from } = await judge.generate(ask('hi'), signal());
      texts.push(`${from}: ${text}`);
      await policies.close();
    }
    expect(texts).toEqual(['live: somebody said it', 'cache: somebody said it']);
    const kept = readdirSync(cache).map((name) => readFileSync(join(cache, name), 'utf8'));
    expect(kept.join('')).toContain('somebody');
    expect(kept.join('')).not.toContain('Ada');
    const wrong = await callPolicies({ cache: join(folder, 'other'), redact: () => null });
    const judge = wrong.apply(toolsOf(modelOf(async () => answer())), caller()).model('test-model');
    await expect(judge.generate(ask('hi'), signal())).rejects.toMatchObject({ code: 'INVALID_CONFIG' });
  });

  it.each<[string, Partial<ModelAnswer>, readonly CallPolicyOptions['redact'][], string]>([
    ['a live answer', {}, [mark], 'live: said, redacted'],
    ['a cached answer', {}, [mark, mark], 'cache: said, redacted'],
    ['an answer that was cached without redaction', {}, [undefined, mark], 'cache: said, redacted'],
    ['an answer that is too incomplete to cache', { finish: 'length' }, [mark], 'live: said, redacted'],
  ])('redacts %s once when it records it', async (_name, more, redactions, expected) => {
    const file = join(folder, 'judge.jsonl');
    const model = modelOf(async () => answer('said', more));
    const found: string[] = [];
    for (const [index, redact] of redactions.entries()) {
      const isLast = index === redactions.length - 1;
      const recording = isLast ? ({ file, mode: 'auto' } as const) : undefined;
      const policies = await callPolicies({ cache: join(folder, 'cache'), redact, recording });
      const judge = policies.apply(toolsOf(model), caller()).model('test-model');
      const { text, from } = await judge.generate(ask('hi'), signal());
      found.push(`${from}: ${text}`);
      await policies.close();
    }
    expect(found.at(-1)).toBe(expected);
    expect(JSON.parse(readFileSync(file, 'utf8').split('\n')[1] ?? '')).toMatchObject({
      answer: { text: 'said, redacted' },
    });
  });

  it('neither caches nor redacts a value that is not an answer of a model', async () => {
    const policies = await callPolicies({ cache: join(folder, 'cache'), redact: mark });
    const odd = modelOf(async () => ({ finish: 'stop', from: 'live' }) as never);
    const judge = policies.apply(toolsOf(odd), caller()).model('test-model');
    for (let count = 0; count < 2; count++)
      expect(await judge.generate(ask('hi'), signal())).toEqual({ finish: 'stop', from: 'live' });
    await policies.close();
  });

  it('masks secrets in cached answers, and returns the masked answers', async () => {
    const cache = join(folder, 'cache');
    const told = async (options: CallPolicyOptions): Promise<string> => {
      const policies = await callPolicies({ cache, ...options });
      const model = modelOf(async () => answer('I used Bearer abc123456789'));
      const { text, from } = await policies
        .apply(toolsOf(model), caller())
        .model('test-model')
        .generate(ask('hi'), signal());
      await policies.close();
      return `${from}: ${text}`;
    };
    expect(await told({})).toBe('live: I used Bearer [masked: bearer token]');
    expect(await told({})).toBe('cache: I used Bearer [masked: bearer token]');
    expect(
      readdirSync(cache)
        .map((name) => readFileSync(join(cache, name), 'utf8'))
        .join(''),
    ).not.toContain('abc123');
    expect(await told({ cache: join(folder, 'other'), maskSecrets: false })).toBe('live: I used Bearer abc123456789');
  });

  it('makes every call without a cache', async () => {
    const policies = await callPolicies({ cache: false });
    const judge = policies.apply(toolsOf(modelOf(async () => answer())), caller()).model('test-model');
    const answers = await Promise.all([1, 2, 3].map(() => judge.generate(ask('hi'), signal())));
    expect(answers.map(({ from }) => from)).toEqual(['live', 'live', 'live']);
    expect(policies.spent()).toEqual({ calls: 3, inputTokens: 30, outputTokens: 15, cost: 0, callsWithoutPrice: 3 });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('limits calls to a model across all callers', async () => {
    let now = 0;
    let most = 0;
    const model = modelOf(async () => {
      now += 1;
      most = Math.max(most, now);
      await after(2);
      now -= 1;
      return answer();
    });
    const policies = await callPolicies({ cache: false, concurrency: { calls: 3 } });
    const roles = (['criterion', 'user'] as const).map((role) => policies.apply(toolsOf(model), caller({ role })));
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        roles[index % 2]?.model('test-model').generate(ask(`${index}`), signal()),
      ),
    );
    expect(most).toBe(3);
  });

  it.each([404, 401])('calls a model only once if it answers HTTP %i', async (status) => {
    const generate = vi.fn(async () => {
      throw httpError(status);
    });
    const policies = await callPolicies({ cache: false });
    const judge = policies.apply(toolsOf(modelOf(generate)), caller()).model('test-model');
    for (const text of ['a', 'b', 'c']) {
      await expect(judge.generate(ask(text), signal())).rejects.toMatchObject({ code: 'CALL_FAILED' });
    }
    expect(generate).toHaveBeenCalledTimes(1);
  });

  it('keeps calling a model that has answered before', async () => {
    let calls = 0;
    const generate = vi.fn(async () => {
      calls += 1;
      if (calls === 2) throw httpError(403);
      return answer();
    });
    const policies = await callPolicies({ cache: false });
    const judge = policies.apply(toolsOf(modelOf(generate)), caller()).model('test-model');
    await judge.generate(ask('a'), signal());
    await expect(judge.generate(ask('b'), signal())).rejects.toMatchObject({ code: 'CALL_FAILED' });
    expect(await judge.generate(ask('c'), signal())).toMatchObject({ from: 'live' });
  });

  it('applies the same policies to services', async () => {
    inNoTime();
    const file = join(folder, 'judge.jsonl');
    const events: string[] = [];
    const prices = { safety: { units: 0.5 } };
    const onEvent = ({ type }: CallEvent) => events.push(type);
    const policies = await callPolicies({
      recording: { file, mode: 'auto' },
      cache: join(folder, 'cache'),
      prices,
      onEvent,
    });
    const send = vi
      .fn(async (request: Json): Promise<Json> => ({ safe: request }))
      .mockRejectedValueOnce(httpError(503));
    const call = { service: 'safety', request: { text: 'hi' }, units: 3 };
    const tools = policies.apply(toolsOf(), caller());
    expect(await tools.call(call, send)).toEqual({ answer: { safe: { text: 'hi' } }, from: 'live', requests: 2 });
    expect(await tools.call(call, send)).toEqual({ answer: { safe: { text: 'hi' } }, from: 'recording' });
    expect(await tools.call({ ...call, sample: 1 }, send)).toMatchObject({ from: 'live' });
    expect(send).toHaveBeenCalledTimes(3);
    expect(events).toEqual(['throttled', 'retrying']);
    expect(policies.spent()).toEqual({ calls: 3, inputTokens: 0, outputTokens: 0, cost: 3, callsWithoutPrice: 0 });
    await policies.close();

    const replay = await callPolicies({ recording: { file, mode: 'replay' } });
    expect(replay.live).toBe(false);
    expect(await replay.apply(toolsOf(), caller()).call(call, send)).toMatchObject({ from: 'recording' });
    await expect(replay.apply(toolsOf(), caller()).call({ ...call, sample: 2 }, send)).rejects.toMatchObject({
      code: 'RECORDING_MISSING',
    });
    expect(send).toHaveBeenCalledTimes(3);
  });

  it('keeps a service and a model with the same name apart', async () => {
    const policies = await callPolicies({ cache: join(folder, 'cache') });
    const tools = policies.apply(toolsOf(modelOf(async () => answer())), caller());
    const { sample, ...request } = ask('hi');
    await tools.model('test-model').generate({ ...request, sample }, signal());
    const call = { service: 'test-model', request: JSON.parse(JSON.stringify(request)), sample };
    expect(await tools.call(call, async () => 'mine')).toEqual({ answer: 'mine', from: 'live' });
  });

  it('uses only the recording in replay mode', async () => {
    const cache = join(folder, 'cache');
    const live = await callPolicies({ cache });
    await live
      .apply(toolsOf(modelOf(async () => answer())), caller())
      .model('test-model')
      .generate(ask('hi'), signal());
    const file = join(folder, 'judge.jsonl');
    writeFileSync(file, '{"type":"agent-criteria-recording","format":1,"label":"a scripted judge"}\n');
    const replay = await callPolicies({ cache, recording: { file, mode: 'replay' } });
    expect(replay.label).toBe('a scripted judge');
    const judge = replay.apply(toolsOf(never), caller()).model('test-model');
    await expect(judge.generate(ask('hi'), signal())).rejects.toMatchObject({ code: 'RECORDING_MISSING' });
  });

  it('records cached answers in auto mode, and requests them again in record mode', async () => {
    const cache = join(folder, 'cache');
    const file = join(folder, 'judge.jsonl');
    const seen: string[] = [];
    for (const mode of ['off', 'auto', 'record', 'replay'] as const) {
      const policies = await callPolicies({ cache, recording: { file, mode } });
      const judge = policies.apply(toolsOf(modelOf(async () => answer())), caller()).model('test-model');
      seen.push((await judge.generate(ask('hi'), signal())).from);
      await policies.close();
    }
    expect(seen).toEqual(['live', 'cache', 'live', 'recording']);
  });

  it('makes identical calls by several callers once, and records the first caller', async () => {
    const file = join(folder, 'judge.jsonl');
    const policies = await callPolicies({ cache: false, recording: { file, mode: 'record' } });
    const generate = vi.fn(async () => answer());
    const judges = ['b', 'a', 'c'].map((caseId) =>
      policies.apply(toolsOf(modelOf(generate)), caller({ caseId })).model('test-model'),
    );
    const answers = await Promise.all(judges.map((judge) => judge.generate(ask('hi'), signal())));
    expect(answers.map(({ from }) => from)).toEqual(['live', 'recording', 'recording']);
    expect(generate).toHaveBeenCalledTimes(1);
    await policies.close();
    expect(JSON.parse(readFileSync(file, 'utf8').split('\n')[1] ?? '')).toMatchObject({ caseId: 'a' });
  });

  it('counts every attempt in the budget, but no stored answer', async () => {
    inNoTime();
    const cache = join(folder, 'cache');
    const generate = vi.fn(async () => answer()).mockRejectedValueOnce(httpError(503));
    const policies = await callPolicies({ cache, maxCalls: 2 });
    const judge = policies.apply(toolsOf(modelOf(generate)), caller()).model('test-model');
    expect((await judge.generate(ask('hi'), signal())).from).toBe('live');
    expect((await judge.generate(ask('hi'), signal())).from).toBe('cache');
    await expect(judge.generate(ask('ho'), signal())).rejects.toMatchObject({ code: 'BUDGET_SPENT' });
    expect(generate).toHaveBeenCalledTimes(2);
  });

  it('holds no permit while it waits for a retry, and does not delay the end of the budget', async () => {
    const waits = modelOf(async () => {
      throw httpError(500);
    }, 'waits');
    const works = modelOf(async () => answer(), 'works');
    const policies = await callPolicies({ cache: false, concurrency: { calls: 1 }, maxCalls: 3 });
    const tools = policies.apply(toolsOf(waits, works), caller());
    const controller = new AbortController();
    const waiting = tools.model('waits').generate(ask('hi'), controller.signal);
    await after(5);
    const results = [];
    for (let index = 0; index < 3; index += 1)
      results.push(...(await Promise.allSettled([tools.model('works').generate(ask(`${index}`), signal())])));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    controller.abort('enough');
    await expect(waiting).rejects.toBe('enough');
  });

  it('limits the time of each attempt separately', async () => {
    inNoTime();
    let asked = 0;
    const slow = modelOf(async () => {
      asked += 1;
      return asked < 3 ? new Promise<never>(() => undefined) : answer();
    });
    const policies = await callPolicies({ cache: false, callTimeout: 30 });
    const judge = policies.apply(toolsOf(slow), caller()).model('test-model');
    expect((await judge.generate(ask('hi'), signal())).text).toBe('yes');
    const once = await callPolicies({ cache: false, callTimeout: 30, maxRetries: 0 });
    asked = 0;
    await expect(
      once.apply(toolsOf(slow), caller()).model('test-model').generate(ask('hi'), signal()),
    ).rejects.toMatchObject({
      code: 'CALL_FAILED',
      message: 'test-model did not answer within 30 ms',
    });
  });

  it('preserves all other properties of models and tools', async () => {
    const policies = await callPolicies({ cache: false });
    const model = {
      ...modelOf(async () => answer()),
      access: () => ({ service: 's', credentials: 'K', problems: [] }),
    };
    const plain = testTools({ models: { judge: model }, compat: 'adk' });
    const tools = policies.apply(plain, caller());
    expect(tools.compat).toBe('adk');
    expect(tools.signal).toBe(plain.signal);
    expect(tools.model('judge').id).toBe('test-model');
    expect(tools.model('judge').access?.({})).toMatchObject({ credentials: 'K' });
    expect(() => tools.model('none')).toThrow('no model named "none"');
  });

  it('returns warnings when it is closed', async () => {
    writeFileSync(join(folder, 'file'), '');
    const policies = await callPolicies({ cache: join(folder, 'file'), prices: {} });
    await policies
      .apply(toolsOf(modelOf(async () => answer())), caller())
      .model('test-model')
      .generate(ask('hi'), signal());
    expect((await policies.close()).map(({ code }) => code)).toEqual(['WRITE_FAILED', 'INVALID_CONFIG']);
  });

  const wrong: readonly CallPolicyOptions[] = [
    { maxRetries: -1 },
    { callTimeout: 0 },
    { concurrency: { calls: 0 } },
    { requestsPerMinute: 0 },
    { tokensPerMinute: 0.5 },
    { maxCost: -1 },
  ];
  it.each(wrong)('rejects %j', async (options) => {
    await expect(callPolicies(options)).rejects.toMatchObject({ code: 'USAGE' });
  });
});

describe('a nested call', () => {
  /** Calls a service that calls services or a model before it answers. */
  function nested(tools: Tools, service: string, depth: number, request: Json): Promise<unknown> {
    return tools.call({ service, request: [request, depth] }, async () => {
      await after(1);
      if (depth > 0)
        await Promise.all([
          nested(tools, service, depth - 1, [request, 0]),
          nested(tools, service === 'a' ? 'b' : 'a', depth - 1, [request, 1]),
        ]);
      else await tools.model('test-model').generate(ask(JSON.stringify(request)), tools.signal);
      await after(1);
      return 'done';
    });
  }

  it.each([false, true])('never waits for the permit of its caller: cache %j', async (kept) => {
    const policies = await callPolicies({
      cache: kept && join(folder, 'cache'),
      concurrency: { calls: 1 },
      maxRetries: 0,
    });
    const tools = policies.apply(toolsOf(modelOf(async () => answer())), caller());
    const results = await Promise.allSettled(
      Array.from({ length: 5 }, (_, index) => nested(tools, index % 2 ? 'a' : 'b', 3, index % 3)),
    );
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'fulfilled',
    ]);
  });

  it('suspends the permit of its caller while it runs', async () => {
    let now = 0;
    let most = 0;
    const policies = await callPolicies({ cache: false, concurrency: { calls: 2 } });
    const tools = policies.apply(toolsOf(modelOf(() => after(3).then(() => answer()))), caller());
    const work = async () => {
      now += 1;
      most = Math.max(most, now);
      await after(3);
      now -= 1;
    };
    const send = async (): Promise<Json> => {
      await work();
      await tools.model('test-model').generate(ask('hi'), tools.signal);
      await work();
      return null;
    };
    await Promise.all(Array.from({ length: 12 }, (_, request) => tools.call({ service: 's', request }, send)));
    expect(most).toBe(2);
  });

  it('may continue after its caller has ended', async () => {
    let now = 0;
    let most = 0;
    const policies = await callPolicies({ cache: false, concurrency: { calls: 2 } });
    const tools = policies.apply(toolsOf(modelOf(() => after(5).then(() => answer()))), caller());
    const inner: Promise<unknown>[] = [];
    const send = async (): Promise<Json> => {
      inner.push(tools.model('test-model').generate(ask('hi'), tools.signal));
      return null;
    };
    await Promise.all(Array.from({ length: 4 }, (_, request) => tools.call({ service: 's', request }, send)));
    await Promise.all(inner);
    const count = async (): Promise<Json> => {
      now += 1;
      most = Math.max(most, now);
      await after(5);
      now -= 1;
      return null;
    };
    await Promise.all(Array.from({ length: 8 }, (_, request) => tools.call({ service: 's', request }, count)));
    expect(most).toBe(2);
  });

  it('is rejected by a spent budget instead of waiting for its caller', async () => {
    const policies = await callPolicies({ cache: false, maxCalls: 1 });
    const tools = policies.apply(toolsOf(modelOf(async () => answer())), caller());
    const call = tools.call({ service: 's', request: null }, async () => {
      await tools.model('test-model').generate(ask('hi'), tools.signal);
      return null;
    });
    await expect(call).rejects.toMatchObject({ code: 'BUDGET_SPENT' });
  });

  it('does not use the time limit of its caller', async () => {
    const policies = await callPolicies({ cache: false, callTimeout: 200, maxRetries: 0, requestsPerMinute: 100 });
    const tools = policies.apply(toolsOf(modelOf(() => after(120).then(() => answer()))), caller());
    const call = tools.call({ service: 's', request: null }, async () => {
      for (let index = 0; index < 3; index += 1)
        await tools.model('test-model').generate(ask(`${index}`), tools.signal);
      return 'done';
    });
    expect((await call).answer).toBe('done');
  });

  it('does not multiply the retries of its caller', async () => {
    inNoTime();
    const generate = vi.fn(async () => {
      throw httpError(503);
    });
    const policies = await callPolicies({ cache: false });
    const tools = policies.apply(toolsOf(modelOf(generate)), caller());
    const call = tools.call({ service: 's', request: null }, async () => {
      await tools.model('test-model').generate(ask('hi'), tools.signal);
      return null;
    });
    await expect(call).rejects.toThrow(/7 attempts/);
    expect(generate).toHaveBeenCalledTimes(7);
  });
});
