import type { Score } from '@agent-criteria/core';
import type { UnitScores } from '@agent-criteria/core/host';

/**
 * Whether a score of a unit could not be judged, so that scoring again may help. What is measured in every run reads the
 * inference alone, and would be unknown again.
 */
export function hasUnjudged({ criteria }: Pick<UnitScores, 'criteria'>): boolean {
  return criteria.some(({ byDefault, scores }) => byDefault !== true && scores.some(isUnjudged));
}

function isUnjudged(score: Score): boolean {
  if ('parts' in score) return score.parts.some(isUnjudged);
  return score.value === null && score.missing === 'could-not-judge';
}
