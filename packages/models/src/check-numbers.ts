import { type Duration, LONGEST_TIMER, toMilliseconds } from '@agent-criteria/calls';
import { CriteriaError, type Problem } from '@agent-criteria/core';

type Numbers = Readonly<Record<string, Duration | undefined>>;

/**
 * Rejects invalid settings, naming each as the caller wrote it.
 * @throws CriteriaError USAGE, with one problem for each.
 */
export function checkNumbers(numbers: {
  /** Integers above 0. */
  readonly counts?: Numbers;
  /** Integers of 0 or more. */
  readonly fromZero?: Numbers;
  /** Durations above 0, up to 25 days. */
  readonly times?: Numbers;
  /** Numbers of 0 or more. */
  readonly amounts?: Numbers;
}): void {
  const problems = [
    ...wrong(numbers.counts, 'a whole number above 0', (value) => Number.isInteger(value) && Number(value) > 0),
    ...wrong(numbers.fromZero, 'a whole number of 0 or more', (value) => Number.isInteger(value) && Number(value) >= 0),
    ...wrong(
      numbers.times,
      'a number of milliseconds above 0, or a duration such as "300s", at most 25 days',
      (value) => toMilliseconds(value) > 0 && toMilliseconds(value) <= LONGEST_TIMER,
    ),
    ...wrong(numbers.amounts, 'a number of 0 or more', (value) => Number.isFinite(value) && Number(value) >= 0),
  ];
  if (problems.length > 0) throw new CriteriaError(problems);
}

function wrong(numbers: Numbers = {}, should: string, right: (value: Duration) => boolean): Problem[] {
  return Object.entries(numbers)
    .filter(([, value]) => value !== undefined && !right(value))
    .map(([name, value]) => {
      const shown = typeof value === 'string' ? JSON.stringify(value) : value;
      return { code: 'USAGE', message: `${name} must be ${should}, not ${shown}` };
    });
}
