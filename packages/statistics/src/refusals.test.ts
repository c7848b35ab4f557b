import { describe, expect, it } from 'vitest';
import * as statistics from './index.ts';
import {
  bootstrapPercentile,
  bootstrapResamples,
  clusterInterval,
  cohenKappa,
  createRandom,
  fleissKappa,
  isUnknown,
  mdePaired,
  signFlipDraws,
  sprt,
  tInterval,
  wilsonEffectiveInterval,
  wilsonInterval,
} from './index.ts';

describe('invalid arguments are rejected with the reason and a remedy', () => {
  it.each<[string, () => unknown]>([
    ['k is 5, more than n, which is 3. Are the two swapped?', () => wilsonInterval(5, 3)],
    ['level is 95, but must lie between 0 and 1: write 0.95 for 95%.', () => wilsonInterval(1, 3, 95)],
    ['values[0] is null, but must be a finite number', () => tInterval([null as never, 1])],
    ['values[1] is NaN, but must be a finite number. Leave out what has no value', () => tInterval([1, Number.NaN])],
    ['values[1] is -1e+151, but must be at most 1e+150 in size.', () => tInterval([1, -1e151])],
    ['cases[1][0] is 0.5, but must be 0 or 1.', () => wilsonEffectiveInterval([[1], [0.5]])],
    ['cases[1] is empty. Leave out cases without a run.', () => wilsonEffectiveInterval([[1], []])],
    ['values has 2 entries and clusters has 1.', () => clusterInterval([1, 2], ['a'])],
    [
      'a[0] is maybe, which is none of the categories: pass, fail.',
      () => cohenKappa({ a: ['maybe'], b: ['pass'], categories: ['pass', 'fail'] }),
    ],
    ['categories has pass twice.', () => cohenKappa({ a: [], b: [], categories: ['pass', 'pass'] })],
    [
      'counts[1] has 2 categories and 3 raters',
      () =>
        fleissKappa([
          [1, 1],
          [2, 1],
        ]),
    ],
    ['p0 is 0.9 and p1 is 0.6, but p0 must be below p1.', () => sprt({ outcomes: [], p0: 0.9, p1: 0.6 })],
    ['alpha and beta add up to 1.', () => sprt({ outcomes: [], p0: 0.6, p1: 0.9, alpha: 0.5, beta: 0.5 })],
    [
      'repeats is 0, but must be a whole number of 1 or more',
      () => mdePaired({ omega2: 0, within: 1, repeats: 0, cases: 3 }),
    ],
    ['draws is 0, but must be a whole number of 1 or more', () => signFlipDraws([1], { draws: 0 })],
    ['seed is 0.5, but must be a whole number', () => createRandom(0.5)],
    [
      'resamples[0] has 1 cases, but there are 2 values.',
      () => bootstrapPercentile({ values: [1, 2], statistic: 'mean', resamples: [[0]] }),
    ],
    ['cases is 0, but must be a whole number of 1 or more', () => bootstrapResamples(0, 1, 1)],
  ])('%s', (message, call) => {
    expect(call).toThrow(RangeError);
    expect(call).toThrow(message);
  });
});

describe('unknown results come with a reason', () => {
  it.each<[string, unknown]>([
    ['there are no cases', wilsonInterval(0, 0)],
    ['one value has no spread: at least two are needed', tInterval([0.7])],
    ['one cluster has no spread: at least two are needed', clusterInterval([1, 2], ['a', 'a'])],
    [
      'no variance was given: measure it with repeats, or assume one',
      mdePaired({ omega2: 0, within: 0, repeats: 1, cases: 3 }),
    ],
  ])('%s', (reason, found) => {
    expect(isUnknown(found)).toBe(true);
    expect(found).toEqual({ unknown: reason });
  });
});

it('createRandom() gives the same numbers for a seed on every platform', () => {
  const random = createRandom(1);
  expect([random(), random(), random()]).toMatchInlineSnapshot(`
    [
      393288148,
      2174103013,
      3814759091,
    ]
  `);
  expect(createRandom(2)()).not.toBe(createRandom(1)());
  expect(createRandom(2 ** 40)()).not.toBe(createRandom(0)());
});

it('the entry point exports only functions', () => {
  expect(Object.values(statistics).every((value) => typeof value === 'function')).toBe(true);
});
