import { isUnknown } from '@agent-criteria/statistics';
import type { Change } from './change.ts';

/** Whether a change for the worse of `minEffect` or more is ruled out: it lies outside the interval. */
export function rulesOutRegression({
  interval,
  range,
  minEffect,
}: Pick<Change, 'interval' | 'range' | 'minEffect'>): boolean {
  if (isUnknown(interval)) return false;
  return range.better === 'higher' ? interval.low > -minEffect : interval.high < minEffect;
}
