import { afterEach, expect, it, vi } from 'vitest';
import { answer, ask, caller, httpError, modelOf, signal } from './__fixtures__/calls.ts';
import { openBudget } from './budget.ts';
import { type LiveCallOptions, openLiveCalls } from './live-calls.ts';
import { modelCall } from './policy-call.ts';

afterEach(() => {
  vi.useRealTimers();
});

function opened(options: Partial<LiveCallOptions> = {}) {
  const budget = openBudget();
  return { budget, live: openLiveCalls({ budget, ...options }) };
}

it('live calls count every attempt towards the budget, and report the requests of each call', async () => {
  vi.useFakeTimers();
  const generate = vi.fn().mockRejectedValueOnce(httpError(503)).mockResolvedValueOnce(answer());
  const { budget, live } = opened();
  const given = live.run(modelCall(modelOf(generate), ask('hi'), caller()), signal());
  await vi.runAllTimersAsync();
  expect(await given).toMatchObject({ answer: { text: 'yes' }, from: 'live' });
  expect(budget.spent()).toMatchObject({ calls: 2, inputTokens: 10, outputTokens: 5 });
  expect(live.warnings()).toEqual([]);
});

it('live calls limit the time of each attempt', async () => {
  vi.useFakeTimers();
  const { live } = opened({ callTimeout: '50ms', maxRetries: 0 });
  const model = modelOf(() => new Promise(() => undefined));
  const ended = expect(live.run(modelCall(model, ask('hi'), caller()), signal())).rejects.toMatchObject({
    code: 'CALL_FAILED',
    cause: { code: 'TIMEOUT' },
  });
  await vi.advanceTimersByTimeAsync(50);
  await ended;
});

it('live calls have a separate limit for each model', async () => {
  vi.useFakeTimers();
  const under: string[] = [];
  const { live } = opened({ concurrency: { calls: 1 } });
  const call = (id: string) => {
    const model = modelOf(async () => {
      under.push(id);
      await new Promise((done) => setTimeout(done, 10));
      return answer();
    }, id);
    return live.run(modelCall(model, ask('hi'), caller()), signal());
  };
  const all = [call('a'), call('a'), call('b')];
  await vi.advanceTimersByTimeAsync(1);
  expect(under).toEqual(['a', 'b']);
  await vi.runAllTimersAsync();
  await Promise.all(all);
});

it.each<Partial<LiveCallOptions>>([
  { maxRetries: -1 },
  { maxRetries: 1.5 },
  { callTimeout: 0 },
  { callTimeout: 2 ** 31 },
  { callTimeout: '0s' },
  { concurrency: { calls: 0 } },
  { requestsPerMinute: 1.5 },
])('openLiveCalls() rejects %j', (options) => {
  expect(() => opened(options)).toThrow(/must be/);
});
