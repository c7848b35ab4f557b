import type { InjectionConfig } from '@agent-criteria/formats';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/runs.ts';
import { openStubs } from './open-stubs.ts';

const key = { setId: 'set', caseId: 'case', repeat: 0 };
const stubbed = (...injectionConfigs: InjectionConfig[]) => openStubs([{ toolName: 'weather', injectionConfigs }], key);

describe('openStubs()', () => {
  it('ignores tools without stubs', () => {
    expect(stubbed({ injectedResponse: { sky: 'clear' } }).call('time', {})).toBeNull();
  });

  it('answers with the first stub whose arguments match', () => {
    const stubs = stubbed(
      { matchArgs: { city: 'Oslo' }, injectedResponse: { sky: 'snow' } },
      { matchArgs: { city: 'Rome' }, injectedError: { injectedHttpErrorCode: 503, errorMessage: 'closed' } },
      { injectedResponse: { sky: 'clear' }, injectedLatencySeconds: 1.5 },
    );
    expect(stubs.call('weather', { city: 'Oslo', unit: 'C' })).toEqual({ latency: 0, response: { sky: 'snow' } });
    expect(stubs.call('weather', { city: 'Rome' })).toEqual({
      latency: 0,
      response: { error_code: 503, error_message: 'closed' },
    });
    expect(stubs.call('weather', { city: 'Lima' })).toEqual({ latency: 1500, response: { sky: 'clear' } });
  });

  it('calls the real tool after a stub that only adds latency', () => {
    expect(stubbed({ injectedLatencySeconds: 0.2 }).call('weather', {})).toEqual({ latency: 200, response: null });
  });

  it('throws STUB_UNMATCHED if no stub matches the arguments', () => {
    const stubs = stubbed({ matchArgs: { city: 'Oslo' }, injectedResponse: {} });
    expect(() => stubs.call('weather', { city: 'Rome' })).toThrow(/"weather".*match no stub: {"city":"Rome"}/);
    expect(() => stubs.call('weather', {})).toThrow(/STUB_UNMATCHED|match no stub/);
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
  ])('matching %j against %j gives %s', (matchArgs, args, fits) => {
    const stubs = stubbed({ matchArgs, injectedResponse: { ok: true } });
    const call = () => stubs.call('weather', args as Record<string, unknown>);
    if (fits) expect(call()?.response).toEqual({ ok: true });
    else expect(call).toThrow('match no stub');
  });

  it('draws the same random numbers for the same case and repeat, at the configured rate', () => {
    const draws = (caseId: string, injectionProbability: number, randomSeed?: number) => {
      const config = {
        injectionProbability,
        injectedResponse: {},
        randomSeed,
      };
      const stubs = openStubs([{ toolName: 'weather', injectionConfigs: [config] }], { ...key, caseId });
      return Array.from({ length: 2000 }, () => stubs.call('weather', {})?.response !== null);
    };
    fc.assert(
      fc.property(fc.string(), fc.double({ min: 0, max: 1, noNaN: true }), (caseId, probability) => {
        const drawn = draws(caseId, probability);
        expect(draws(caseId, probability)).toEqual(drawn);
        const share = drawn.filter(Boolean).length / drawn.length;
        expect(Math.abs(share - probability)).toBeLessThan(0.08);
      }),
      { numRuns: runs(50) },
    );
    expect(draws('one', 0.5)).not.toEqual(draws('two', 0.5));
    expect(draws('one', 0.5, 7)).toEqual(draws('two', 0.5, 7));
    expect(draws('one', 1).every(Boolean)).toBe(true);
    expect(draws('one', 0).some(Boolean)).toBe(false);
  });

  it('draws independent random numbers for each tool', () => {
    const stubs = openStubs(
      ['one', 'two'].map((toolName) => ({
        toolName,
        injectionConfigs: [{ injectionProbability: 0.5, injectedResponse: {} }],
      })),
      key,
    );
    const calls = Array.from({ length: 2000 }, () => ['one', 'two'].map((tool) => stubs.call(tool, {})?.response));
    const alike = calls.filter(([one, two]) => (one === null) === (two === null)).length;
    expect(Math.abs(alike / calls.length - 0.5)).toBeLessThan(0.08);
  });

  it('calls the real tool if a stub matches but its probability draw fails', () => {
    const stubs = stubbed({ injectionProbability: 0, injectedResponse: {} });
    expect(stubs.call('weather', {})).toEqual({ latency: 0, response: null });
  });
});
