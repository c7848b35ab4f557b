import type { CriterionResult, TurnResult } from '@agent-criteria/core/host';

/**
 * Returns the turns that explain a verdict: those that fall short, or else those that could not be judged, or else all
 * scored ones. For `not-evaluated`, turns that could not be judged take precedence.
 */
export function turnsToExplain({ verdict, turns }: Pick<CriterionResult, 'verdict' | 'turns'>): readonly TurnResult[] {
  const short = turns.filter(({ reached }) => reached === false);
  const open = turns.filter(({ score }) => 'missing' in score && score.missing === 'could-not-judge');
  const [first, second] = verdict === 'not-evaluated' ? [open, short] : [short, open];
  if (first.length > 0) return first;
  return second.length > 0 ? second : turns.filter(({ score }) => !('missing' in score));
}
