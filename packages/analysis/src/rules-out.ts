import { isUnknown } from '@agent-criteria/statistics';
import type { Change } from './change.ts';

/** Whether the interval rules out a change for the worse of `minEffect` or more. */
export function rulesOutRegression({
  interval,
  range,
  minEffect,
}: Pick<Change, 'interval' | 'range' | 'minEffect'>): boolean {
  if (isUnknown(interval)) return false;
  return range.better === 'higher' ? interval.low > -minEffect : interval.high < minEffect;
}
