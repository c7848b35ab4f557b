import type { InjectionConfig, State } from '@agent-criteria/formats';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { runs } from '../../../test/runs.ts';
import { openStubs } from './open-stubs.ts';

const key = { setId: 'set', caseId: 'case', repeat: 0 };
const { signal } = new AbortController();
const stubbed = (...injectionConfigs: InjectionConfig[]) => openStubs([{ toolName: 'weather', injectionConfigs }], key);

describe('openStubs()', () => {
  it('ignores tools without stubs', () => {
    expect(stubbed({ injectedResponse: { sky: 'clear' } }).call('time', {}, signal)).toBeNull();
  });

  it('answers with the first stub whose arguments match', async () => {
    const stubs = stubbed(
      { matchArgs: { city: 'Oslo' }, injectedResponse: { sky: 'snow' } },
      { matchArgs: { city: 'Rome' }, injectedError: { injectedHttpErrorCode: 503, errorMessage: 'closed' } },
      { injectedResponse: { sky: 'clear' } },
    );
    const by = 'injection';
    expect(await stubs.call('weather', { city: 'Oslo', unit: 'C' }, signal)).toEqual({ by, response: { sky: 'snow' } });
    expect(await stubs.call('weather', { city: 'Rome' }, signal)).toEqual({
      by,
      response: { error_code: 503, error_message: 'closed' },
    });
    expect(await stubs.call('weather', { city: 'Lima' }, signal)).toEqual({ by, response: { sky: 'clear' } });
  });

  it('counts an empty response as a response', async () => {
    const stubs = stubbed({ injectedResponse: {} });
    expect(await stubs.call('weather', {}, signal)).toEqual({ by: 'injection', response: {} });
  });

  it('answers late after a latency, and not at all once the signal aborts', async () => {
    const start = performance.now();
    const stubs = stubbed({ injectedLatencySeconds: 0.03, injectedResponse: { sky: 'clear' } });
    await stubs.call('weather', {}, signal);
    expect(performance.now() - start).toBeGreaterThan(25);
    const slow = stubbed({ injectedLatencySeconds: 100, injectedResponse: {} });
    await expect(slow.call('weather', {}, AbortSignal.timeout(5))).rejects.toThrow();
  });

  it('calls the real tool after a stub that only adds latency', async () => {
    const stubs = stubbed({ injectedLatencySeconds: 0.01 });
    expect(await stubs.call('weather', {}, signal)).toMatchObject({ response: null });
  });

  it('throws STUB_UNMATCHED if no stub matches the arguments', async () => {
    const stubs = stubbed({ matchArgs: { city: 'Oslo' }, injectedResponse: {} });
    const call = stubs.call('weather', { city: 'Rome' }, signal);
    await expect(call).rejects.toThrow(/"weather".*match no stub: {"city":"Rome"}/);
    await expect(stubs.call('weather', {}, signal)).rejects.toMatchObject({ code: 'STUB_UNMATCHED' });
  });

  it.each([
    [{ a: 1 }, { a: 1, b: 2 }, true],
    [{ a: { x: [1, { y: null }], z: 'q' } }, { a: { z: 'q', x: [1, { y: null }] } }, true],
    [{ a: [1, 2] }, { a: [1, 2, 3] }, false],
    [{ a: { x: 1 } }, { a: { x: 1, y: 2 } }, false],
    [{ a: 1 }, { a: true }, false],
    [{ a: null }, {}, false],
    [{ a: [] }, { a: {} }, false],
    [{ toString: 'x' }, {}, false],
  ])('matching %j against %j gives %s', async (matchArgs, args, fits) => {
    const stubs = stubbed({ matchArgs, injectedResponse: { ok: true } });
    const call = stubs.call('weather', args as State, signal);
    if (fits) expect(await call).toMatchObject({ response: { ok: true } });
    else await expect(call).rejects.toThrow('match no stub');
  });

  it('draws the same random numbers for the same case and repeat, at the configured rate', async () => {
    const draws = async (caseId: string, injectionProbability: number, randomSeed?: number) => {
      const config = {
        injectionProbability,
        injectedResponse: {},
        randomSeed,
      };
      const stubs = openStubs([{ toolName: 'weather', injectionConfigs: [config] }], { ...key, caseId });
      const answers = await Promise.all(Array.from({ length: 2000 }, () => stubs.call('weather', {}, signal)));
      return answers.map((answer) => answer?.response !== null);
    };
    await fc.assert(
      fc.asyncProperty(fc.string(), fc.double({ min: 0, max: 1, noNaN: true }), async (caseId, probability) => {
        const drawn = await draws(caseId, probability);
        expect(await draws(caseId, probability)).toEqual(drawn);
        const share = drawn.filter(Boolean).length / drawn.length;
        expect(Math.abs(share - probability)).toBeLessThan(0.08);
      }),
      { numRuns: runs(20) },
    );
    expect(await draws('one', 0.5)).not.toEqual(await draws('two', 0.5));
    expect((await draws('one', 1)).every(Boolean)).toBe(true);
    expect((await draws('one', 0)).some(Boolean)).toBe(false);
    const seeded = await draws('one', 0.3, 7);
    expect(await draws('two', 0.3, 7)).toEqual(seeded);
    // In ADK, a seed makes each call alike.
    expect(new Set(seeded).size).toBe(2);
  });

  it('draws independent random numbers for each tool', async () => {
    const stubs = openStubs(
      ['one', 'two'].map((toolName) => ({
        toolName,
        injectionConfigs: [{ injectionProbability: 0.5, injectedResponse: {} }],
      })),
      key,
    );
    const calls: (State | null | undefined)[][] = [];
    for (let count = 0; count < 2000; count++) {
      const answers = await Promise.all(['one', 'two'].map((tool) => stubs.call(tool, {}, signal)));
      calls.push(answers.map((answer) => answer?.response));
    }
    const alike = calls.filter(([one, two]) => (one === null) === (two === null)).length;
    expect(Math.abs(alike / calls.length - 0.5)).toBeLessThan(0.08);
  });

  it('calls the real tool if a stub matches but its probability draw fails', async () => {
    const stubs = stubbed({ injectionProbability: 0, injectedResponse: {} });
    expect(await stubs.call('weather', {}, signal)).toMatchObject({ response: null });
  });

  it('asks the simulator that a stub names for calls that no injection decides', async () => {
    const answer = vi.fn(async () => ({ sky: 'simulated' }));
    const stub = {
      toolName: 'weather',
      mockStrategyType: 1,
      injectionConfigs: [{ matchArgs: { city: 'Oslo' }, injectedResponse: { sky: 'snow' } }],
    };
    const stubs = openStubs([stub], key, { unlistedTools: 'real', answer });
    expect(await stubs.call('weather', { city: 'Oslo' }, signal)).toEqual({
      by: 'injection',
      response: { sky: 'snow' },
    });
    expect(answer).not.toHaveBeenCalled();
    const simulated = { by: 'MOCK_STRATEGY_TOOL_SPEC', response: { sky: 'simulated' } };
    expect(await stubs.call('weather', { city: 'Rome' }, signal)).toEqual(simulated);
    expect(answer.mock.calls).toEqual([[{ tool: 'weather', args: { city: 'Rome' } }]]);
    const without = openStubs([stub], key);
    await expect(without.call('weather', { city: 'Rome' }, signal)).rejects.toThrow('without an environment');
  });

  it('throws for a tool without a stub if unlisted tools are errors', async () => {
    const stubs = openStubs([], key, { unlistedTools: 'error', answer: async () => ({}) });
    await expect(stubs.call('pay', { sum: 5 }, signal)).rejects.toThrow(/"pay", which no stub lists.*{"sum":5}/);
  });
});
