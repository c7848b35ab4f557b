import { type Criterion, defineCriterion, noOptions } from '@agent-criteria/core';
import { evalCase, turn } from '@agent-criteria/core/eval-set';
import { expect, it } from 'vitest';
import { evaluate } from './evaluate.ts';

// A score may throw when it is read. Its turn then could not be judged, and the others still count.

function odd(scope: 'turn' | 'conversation', returned: () => unknown): Criterion {
  const head = {
    name: 'odd',
    origin: { package: 'test', version: '1.0.0' },
    description: 'x',
    decides: true,
    range: { min: 0, max: 1, better: 'higher' },
    options: noOptions,
  } as const;
  const evaluate = () => returned() as never;
  return scope === 'turn'
    ? defineCriterion({ ...head, scope: 'turn', evaluate })
    : defineCriterion({ ...head, scope: 'conversation', evaluate });
}

const throwing = () => {
  throw new Error('no');
};

it.each<readonly [string, () => unknown]>([
  ['a getter that throws', () => Object.defineProperty({}, 'value', { get: throwing, enumerable: true })],
  ['a proxy that throws', () => new Proxy({}, { get: throwing, has: throwing, ownKeys: throwing })],
  [
    'a proxy that was revoked',
    () => {
      const { proxy, revoke } = Proxy.revocable({ value: 1 }, {});
      revoke();
      return proxy;
    },
  ],
  ['a promise that is refused', () => Promise.reject(new Error('no'))],
  ['a promise that is refused with nothing', () => Promise.reject()],
  // biome-ignore lint/suspicious/noThenProperty: a plugin may return such an object.
  ['a promise of its own that throws', () => ({ then: throwing })],
  // biome-ignore lint/suspicious/noThenProperty: a plugin may return such an object.
  ['a promise of nothing', () => ({ then: (done: (nothing?: undefined) => void) => done() })],
  ['a BigInt', () => ({ value: 1n })],
  ['a symbol', () => Symbol('1')],
  ['a score with parts that throw', () => ({ parts: [Object.defineProperty({}, 'value', { get: throwing })] })],
])('a criterion that returns %s never passes', async (_, returned) => {
  for (const scope of ['turn', 'conversation'] as const) {
    const { verdict, exitCode, cases } = await evaluate({
      agent: (text: string) => text,
      evalSet: {
        evalSetId: 's',
        evalCases: [evalCase('one', [turn('a', { answer: 'a' }), turn('b', { answer: 'b' })])],
      },
      config: { plugins: [odd(scope, returned)], criteria: { odd: 0.5 } },
    });
    expect([verdict, exitCode]).toEqual(['not-evaluated', 3]);
    expect(cases[0]?.criteria[0]).toMatchObject({ verdict: 'not-evaluated', score: null });
    expect(cases[0]?.criteria[0]?.reason).not.toBe('');
  }
});
