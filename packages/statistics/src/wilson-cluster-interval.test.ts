import { expect, it } from 'vitest';
import { wilsonClusterInterval } from './wilson-cluster-interval.ts';
import { wilsonEffectiveInterval } from './wilson-effective-interval.ts';

it('with every case alone, it is the interval on the effective number of runs', () => {
  const cases = [
    [1, 1, 0],
    [1, 1, 1],
    [0, 0, 1],
    [1, 0, 0],
    [1, 1, 1],
  ];
  const rates = cases.map((outcomes) => outcomes.reduce((sum, one) => sum + one, 0) / outcomes.length);
  const found = wilsonClusterInterval(rates, [0, 1, 2, 3, 4], 15);
  expect(found).toEqual(expect.objectContaining({ df: 4 }));
  const expected = wilsonEffectiveInterval(cases) as { low: number; high: number };
  expect(found).toMatchObject({ low: expect.closeTo(expected.low, 12), high: expect.closeTo(expected.high, 12) });
});

it('is wider where the cases of a cluster agree', () => {
  const rates = Array.from({ length: 40 }, (_, index) => (index < 24 ? 1 : 0));
  const width = (clusters: readonly number[]) => {
    const { low, high } = wilsonClusterInterval(rates, clusters, 40) as { low: number; high: number };
    return high - low;
  };
  expect(width(rates.map((_, index) => index >> 3))).toBeGreaterThan(2 * width(rates.map((_, index) => index)));
});

it('is unknown with one cluster, has no width of 0, and refuses what is no rate', () => {
  expect(wilsonClusterInterval([1, 0], ['a', 'a'], 2)).toHaveProperty('unknown');
  expect(wilsonClusterInterval([1, 1], ['a', 'b'], 2)).toMatchObject({ high: 1 });
  expect(() => wilsonClusterInterval([1.5, 0], ['a', 'b'], 2)).toThrow(RangeError);
  expect(() => wilsonClusterInterval([1, 0], ['a', 'b'], 1)).toThrow(RangeError);
});
