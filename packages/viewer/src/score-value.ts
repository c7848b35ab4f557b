import { exactMean, type Score } from '@agent-criteria/core';

/** Returns the value of a score, or the exact mean of its parts, or `null` if there is neither. */
export function scoreValue(score: Score): number | null {
  if (!('parts' in score)) return score.value;
  const values = score.parts.map(scoreValue).filter((value) => value !== null);
  return values.length === 0 ? null : exactMean(values);
}

/** Whether any part of a score could not be judged. */
export function isUnjudged(score: Score): boolean {
  if ('parts' in score) return score.parts.some(isUnjudged);
  return score.value === null && score.missing === 'could-not-judge';
}
