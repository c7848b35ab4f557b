import type { CriterionResult, TurnResult } from '@agent-criteria/core/host';

/**
 * The turns that a verdict has to be explained with: those that fall short, else those that could not be judged, else all
 * that were scored. Where the verdict is that nothing could be said, what could not be judged comes first.
 */
export function turnsToExplain({ verdict, turns }: Pick<CriterionResult, 'verdict' | 'turns'>): readonly TurnResult[] {
  const short = turns.filter(({ reached }) => reached === false);
  const open = turns.filter(({ score }) => 'missing' in score && score.missing === 'could-not-judge');
  const [first, second] = verdict === 'not-evaluated' ? [open, short] : [short, open];
  if (first.length > 0) return first;
  return second.length > 0 ? second : turns.filter(({ score }) => !('missing' in score));
}
