import type { TrendPoint } from '@agent-criteria/analysis';
import { expect, it } from 'vitest';
import { partsOf, trendScale } from './trend-scale.ts';

const point = (value: number | null, low = value, high = value, breaks: readonly string[] = []): TrendPoint => ({
  run: 'r',
  agent: 'a',
  startedAt: 0,
  value,
  interval: low === null || high === null ? { unknown: 'no case' } : { low, high },
  cases: 1,
  unjudged: 0,
  breaks,
  notes: [],
});
const share = { min: 0, max: 1, better: 'higher' as const };
const seconds = { min: 0, max: null, better: 'lower' as const };

it('trendScale() contains all intervals, has round ticks and stays within the range', () => {
  expect(trendScale({ range: share, points: [point(0.9, 0.82, 0.97), point(0.6, 0.5, 0.7)] })).toEqual({
    low: 0.4,
    high: 1,
    ticks: [0.4, 0.6, 0.8, 1],
  });
  expect(trendScale({ range: seconds, points: [point(1200, 1100, 1300)] })).toMatchObject({ low: 1000, high: 1400 });
});

it('trendScale() does not zoom in on a tiny change', () => {
  const { low, high } = trendScale({ range: share, points: [point(0.9), point(0.901)] });
  expect(high - low).toBeCloseTo(0.2, 6);
});

it('trendScale() returns the full range if there are no values', () => {
  expect(trendScale({ range: share, points: [point(null)] })).toEqual({ low: 0, high: 1, ticks: [0, 1] });
  expect(trendScale({ range: seconds, points: [point(0)] }).ticks.length).toBeGreaterThan(0);
});

it('partsOf() splits the line where runs are not comparable', () => {
  const points = [point(1), point(1), point(1, 1, 1, ['another judge']), point(null), point(1), point(1)];
  expect(partsOf(points)).toEqual([[0, 1], [2], [4, 5]]);
});
