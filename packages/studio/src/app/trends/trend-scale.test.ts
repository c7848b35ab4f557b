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

it('shows what holds every interval, on round numbers, and never leaves the scale', () => {
  expect(trendScale({ range: share, points: [point(0.9, 0.82, 0.97), point(0.6, 0.5, 0.7)] })).toEqual({
    low: 0.4,
    high: 1,
    ticks: [0.4, 0.6, 0.8, 1],
  });
  expect(trendScale({ range: seconds, points: [point(1200, 1100, 1300)] })).toMatchObject({ low: 1000, high: 1400 });
});

it('does not blow up a change that is hardly one', () => {
  const { low, high } = trendScale({ range: share, points: [point(0.9), point(0.901)] });
  expect(high - low).toBeCloseTo(0.2, 6);
});

it('has a scale where there is nothing to show', () => {
  expect(trendScale({ range: share, points: [point(null)] })).toEqual({ low: 0, high: 1, ticks: [0, 1] });
  expect(trendScale({ range: seconds, points: [point(0)] }).ticks.length).toBeGreaterThan(0);
});

it('joins only what can be compared', () => {
  const points = [point(1), point(1), point(1, 1, 1, ['another judge']), point(null), point(1), point(1)];
  expect(partsOf(points)).toEqual([[0, 1], [2], [4, 5]]);
});
