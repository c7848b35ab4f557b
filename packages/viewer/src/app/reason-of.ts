import type { CriterionResult } from '@agent-criteria/core/host';
import type { RunCase } from '@agent-criteria/results';
import { count, visible } from './format.ts';

/** Returns the reason for a verdict, without the parts that are shown at its turns or as numbers. */
export function reasonOf(result: CriterionResult): string | undefined {
  const reason = withoutTurns(result)?.replace(/^[\d.e+-]+ is (below|above) the threshold [\d.e+-]+(: |$)/, '');
  return reason === '' ? undefined : reason;
}

function withoutTurns({ reason, turns }: CriterionResult): string | undefined {
  if (reason === undefined || turns.length < 2) return reason;
  const said = turns.flatMap(({ score }) => (score.reason === undefined ? [] : [`: ${score.reason}`]));
  const own = said.find((text) => reason.includes(text));
  return own === undefined ? reason : reason.replace(own, '');
}

/** Whether the only turn's reason is already shown above it, as part of the criterion's reason. */
export function isSaidAbove(result: CriterionResult): boolean {
  if (result.verdict !== 'failed' && result.verdict !== 'not-evaluated') return false;
  const [only, ...others] = result.turns;
  const own = only?.score.reason;
  return others.length === 0 && own !== undefined && result.reason?.includes(own) === true;
}

/** Summarises which criteria determined the verdict. */
export function whyOf({ result: { verdict, reason, criteria } }: RunCase): string {
  if (verdict === 'passed') return 'Every deciding criterion passed.';
  const decisive = criteria.filter((criterion) => criterion.verdict === verdict).map(({ name }) => visible(name));
  if (decisive.length === 0 || verdict === 'informational') return reason ?? '';
  return `${decisive.length} of ${count(criteria.length, 'criterion', 'criteria')}: ${decisive.join(', ')}`;
}
