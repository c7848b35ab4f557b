import type { CaseResult } from '@agent-criteria/core/host';
import type { EvaluationResult } from '@agent-criteria/results';

/** Returns what each criterion said about one repeat of a case: where there is only one, its result for the case. */
export function resultsOfRepeat({ criteria, units }: CaseResult, repeat: number): readonly EvaluationResult[] {
  if (units.length <= 1) return criteria;
  const unit = units.find((one) => one.repeat === repeat);
  return (unit?.criteria ?? []).map(({ name, verdict, score }) => {
    const ofCase = criteria.find((one) => one.name === name);
    const turns = (ofCase?.turns ?? []).filter((turn) => turn.repeat === repeat);
    const missing = turns.flatMap((turn) => ('missing' in turn.score ? [turn.score.missing] : []));
    const couldNotJudge = missing.filter((one) => one === 'could-not-judge').length;
    const notApplicable = missing.length - couldNotJudge;
    const reasons = new Set(turns.flatMap((turn) => turn.score.reason ?? []));
    return {
      name,
      verdict,
      score,
      counts: { scored: turns.length - missing.length, couldNotJudge, notApplicable },
      ...(reasons.size === 0 ? {} : { reason: [...reasons].join('\n') }),
      ...(ofCase === undefined ? {} : { threshold: ofCase.threshold }),
    };
  });
}
