import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Json, ServiceCall, Tools } from '@agent-criteria/core';
import { testTools } from '@agent-criteria/core/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { caller, httpError } from './__fixtures__/calls.ts';
import { callPolicies } from './call-policies.ts';
import type { CallPolicyOptions } from './call-policy-options.ts';

async function toolsUnder(options: CallPolicyOptions, signal?: AbortSignal): Promise<Tools> {
  const policies = await callPolicies({ cache: false, ...options });
  onTestFinished(async () => void (await policies.close()));
  return policies.apply(testTools(signal === undefined ? {} : { signal }), caller());
}

const waits: number[] = [];
const retries = {
  statuses: [429, 499],
  maxRetries: 2,
  delay(failed: number): number {
    waits.push(failed);
    return 1;
  },
};
const ask: ServiceCall<Json> = { service: 's', request: null, retries };

/** Creates a `send` that fails with these statuses and then answers. */
function failing(...statuses: readonly number[]) {
  const sent: number[] = [];
  const send = async (): Promise<Json> => {
    const status = statuses[sent.length];
    sent.push(status ?? 200);
    if (status !== undefined) throw httpError(status);
    return 'fine';
  };
  return { sent, send };
}

describe('retries of a service with its own rules', () => {
  it('follow the service’s statuses, number of retries and delays', async () => {
    const tools = await toolsUnder({});
    waits.length = 0;
    const { sent, send } = failing(499, 429);
    expect(await tools.call(ask, send)).toMatchObject({ answer: 'fine' });
    expect(sent).toEqual([499, 429, 200]);
    expect(waits).toEqual([1, 2]);
    const dead = failing(429, 429, 429, 429);
    await expect(tools.call({ ...ask, request: 1 }, dead.send)).rejects.toThrow('(3 attempts)');
    expect(dead.sent).toHaveLength(3);
  });

  it('do not happen for other statuses', async () => {
    const tools = await toolsUnder({});
    for (const status of [500, 503, 400]) {
      const { sent, send } = failing(status);
      await expect(tools.call({ ...ask, request: status }, send)).rejects.toMatchObject({ code: 'CALL_FAILED' });
      expect(sent).toEqual([status]);
    }
  });

  it('follow the run’s maxRetries if it is set', async () => {
    const never = failing(429);
    await expect((await toolsUnder({ maxRetries: 0 })).call(ask, never.send)).rejects.toMatchObject({
      code: 'CALL_FAILED',
    });
    expect(never.sent).toEqual([429]);
    const often = failing(429, 429, 429, 429);
    await (await toolsUnder({ maxRetries: 4 })).call(ask, often.send);
    expect(often.sent).toHaveLength(5);
  });
});

it.each<[unknown, RegExp]>([
  [undefined, /it is undefined/],
  [() => 1, /it is function/],
  [{ score: 1n }, /BigInt/],
  [null, /it is null/],
])('a service answer that is not JSON is not recorded, but later answers are: %o', async (odd, word) => {
  const folder = mkdtempSync(join(tmpdir(), 'recording-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const recording = { file: join(folder, 'recording.jsonl'), mode: 'auto' } as const;
  const policies = await callPolicies({ cache: false, recording });
  const tools = policies.apply(testTools(), caller());
  const given = (answer: unknown, request: Json) => tools.call({ service: 's', request }, async () => answer as Json);
  await expect(given(odd, 1)).rejects.toMatchObject({ code: 'CALL_FAILED', message: expect.stringMatching(word) });
  await given({ score: 1 }, 2);
  expect(await policies.close()).toEqual([]);
  const again = (await toolsUnder({ recording: { ...recording, mode: 'replay' } })).call(
    { service: 's', request: 2 },
    async () => null,
  );
  expect(await again).toEqual({ answer: { score: 1 }, from: 'recording' });
});

describe('requestsPerSecond', () => {
  it('spaces out all calls to the service, each by its own interval', async () => {
    const tools = await toolsUnder({});
    const at: number[] = [];
    const send = async (): Promise<Json> => {
      at.push(performance.now());
      return null;
    };
    const paced = (request: Json, requestsPerSecond?: number) =>
      tools.call({ service: 's', request, requestsPerSecond }, send);
    await Promise.all([paced(1, 20), paced(2, 20), paced(3, 20), paced(4)]);
    const gaps = at.slice(1).map((time, index) => time - (at[index] ?? 0));
    for (const gap of gaps) expect(gap).toBeGreaterThan(45);
    await expect(paced(5, 0)).rejects.toMatchObject({ code: 'USAGE' });
  });

  it('holds no permit, and emits no event', async () => {
    const told: string[] = [];
    const tools = await toolsUnder({ onEvent: ({ type }) => told.push(type) });
    const send = async (): Promise<Json> => null;
    await Promise.all([1, 2, 3].map((request) => tools.call({ service: 's', request, requestsPerSecond: 50 }, send)));
    expect(told).toEqual([]);
  });
});

it('an answer that is not cacheable is recorded, but not cached', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'service-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'calls.jsonl');
  const open = async (options: CallPolicyOptions) => {
    const policies = await callPolicies(options);
    return { tools: policies.apply(testTools(), caller()), close: () => policies.close() };
  };
  const said: Json[] = ['no idea', 'no idea', 'yes', 'never asked for'];
  const cache = join(folder, 'cache');
  const call = { service: 's', request: 'q', isCacheable: (answer: Json) => answer === 'yes' };
  const asked = async (options: CallPolicyOptions) => {
    const { tools, close } = await open(options);
    const { answer, from } = await tools.call(call, async () => said.shift() ?? null);
    await close();
    return [answer, from];
  };
  expect(await asked({ cache })).toEqual(['no idea', 'live']);
  expect(await asked({ cache, recording: { file, mode: 'auto' } })).toEqual(['no idea', 'live']);
  expect(await asked({ recording: { file, mode: 'replay' } })).toEqual(['no idea', 'recording']);
  expect(await asked({ cache })).toEqual(['yes', 'live']);
  expect(await asked({ cache })).toEqual(['yes', 'cache']);
});

describe('the answer from another endpoint', () => {
  it('has its own cache entry, and shares recordings with the service', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'places-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const cache = join(folder, 'cache');
    const at = (endpoint: string | undefined) => ({ ...ask, endpoint });
    const first = await toolsUnder({ cache });
    expect(await first.call(at('http://127.0.0.1'), async () => 'stand-in')).toMatchObject({ from: 'live' });
    expect(await first.call(at(undefined), async () => 'service')).toMatchObject({ answer: 'service', from: 'live' });
    const second = await toolsUnder({ cache });
    const nobody = async (): Promise<Json> => Promise.reject(new Error('nobody is there'));
    expect(await second.call(at('http://127.0.0.1'), nobody)).toMatchObject({ answer: 'stand-in', from: 'cache' });
    expect(await second.call(at(undefined), nobody)).toMatchObject({ answer: 'service', from: 'cache' });
    await expect(second.call(at('http://localhost'), nobody)).rejects.toThrow('nobody is there');

    const file = join(folder, 'recording.jsonl');
    const recording = await callPolicies({ cache: false, recording: { file, mode: 'record' } });
    await recording.apply(testTools(), caller()).call(at('http://127.0.0.1'), async () => 'recorded');
    await recording.close();
    const replay = await toolsUnder({ recording: { file, mode: 'replay' } });
    expect(await replay.call(at(undefined), nobody)).toMatchObject({ answer: 'recorded', from: 'recording' });
  });
});
