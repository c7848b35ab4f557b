import { caseKey } from './case-key.ts';
import type { CaseOutcome, CriterionOutcome } from './outcome.ts';
import type { RunOutcomes } from './run-outcomes.ts';

/**
 * Combines the repeats of two runs of the same agent, such as a run and the one that confirms it. A case that is in
 * only one run keeps that run's repeats. Names and criteria are those of the second run.
 */
export function combineRuns(first: RunOutcomes, second: RunOutcomes): RunOutcomes {
  const others = new Map(first.cases.map((one) => [caseKey(one), one]));
  const cases = second.cases.map((own) => {
    const other = others.get(caseKey(own));
    others.delete(caseKey(own));
    return other === undefined || other.asked !== own.asked ? own : combineCases(other, own);
  });
  return { ...second, finished: first.finished && second.finished, cases: [...cases, ...others.values()] };
}

function combineCases(first: CaseOutcome, second: CaseOutcome): CaseOutcome {
  const repeats = [...first.repeats, ...second.repeats].map((one, repeat) => ({ ...one, repeat }));
  const [before, after] = [first, second].map(({ criteria }) => new Map(criteria.map((one) => [one.name, one])));
  const names = new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])]);
  const criteria = [...names].map((name) =>
    combineScores(before?.get(name), after?.get(name), [first.repeats.length, second.repeats.length]),
  );
  // The worse verdict counts, because the combined case is compared with the baseline.
  const { verdict, reason } = first.verdict === 'passed' ? second : first;
  return { ...second, verdict, reason, criteria, repeats };
}

/** Combines a criterion's scores. If one run has none, because nothing ran, each of its repeats gets `null`. */
function combineScores(
  first: CriterionOutcome | undefined,
  second: CriterionOutcome | undefined,
  [before, after]: readonly number[],
): CriterionOutcome {
  const none = (count = 0) => Array<null>(count).fill(null);
  const scores = [...(first?.scores ?? none(before)), ...(second?.scores ?? none(after))];
  const known = scores.filter((score) => score !== null);
  const coverages = [first, second].flatMap((one) =>
    one === undefined ? [0] : one.coverage === null ? [] : [one.coverage],
  );
  const shown = second ?? (first as CriterionOutcome);
  return {
    ...shown,
    score: known.length === 0 ? null : known.reduce((sum, score) => sum + score, 0) / known.length,
    coverage: coverages.length === 0 ? null : coverages.reduce((sum, one) => sum + one, 0) / coverages.length,
    scores,
  };
}
