import { type CaseName, caseKey } from './case-key.ts';
import { directionOf, type FlippedSide, sideOf } from './flipped-cases.ts';
import type { CriterionFacts } from './instrument.ts';
import type { CaseOutcome } from './outcome.ts';
import { type CasePair, pairCases } from './pair-cases.ts';
import { sharedCriteria, whyNotCompared } from './run-differences.ts';
import type { RunOutcomes } from './run-outcomes.ts';

/** A case in two runs. Plain JSON. */
export interface ComparedCase extends CaseName {
  readonly change: CaseChange;
  /** `null` if the run does not have the case. */
  readonly base: FlippedSide | null;
  readonly candidate: FlippedSide | null;
  /** Deciding criteria that can be compared and whose scores differ, the largest change first. */
  readonly scores: readonly ScoreChange[];
  /** The reason why the case is not compared, without the final full stop. Absent if it is compared. */
  readonly unpaired?: string | undefined;
}

/**
 * - `lost`, `gained`, `other`: the verdict changed, as in `FlippedCase`.
 * - `changed`: the same verdict, but different scores or a different number of passing or judged repeats.
 * - `same`: none of these, though the answer may be worded differently.
 * - `unpaired`: the case cannot be compared.
 */
export type CaseChange = 'lost' | 'gained' | 'other' | 'changed' | 'same' | 'unpaired';

export interface ScoreChange {
  readonly name: string;
  readonly base: number | null;
  readonly candidate: number | null;
  /** Whether the score improved, or `null` if either run has no score. */
  readonly better: boolean | null;
}

const ORDER: readonly CaseChange[] = ['lost', 'gained', 'other', 'changed', 'same', 'unpaired'];

/**
 * Pairs every case of two runs: first those whose verdict changed, as in `compareRuns`; then those whose scores
 * changed, the largest fall first; then the unchanged ones in the candidate's order; finally those that cannot be
 * compared.
 */
export function comparedCases(base: RunOutcomes, candidate: RunOutcomes): readonly ComparedCase[] {
  const { pairs, onlyBase, onlyCandidate, askedOtherwise } = pairCases(base.cases, candidate.cases);
  const criteria = sharedCriteria(base, candidate)
    .filter(([before, after]) => before.decides && after.decides && !whyNotCompared(before, after, base, candidate))
    .map(([, after]) => after);
  const [ofBase, ofCandidate] = [base, candidate].map(({ cases }) => new Map(cases.map((one) => [caseKey(one), one])));
  const alone = (names: readonly CaseName[], unpaired: string) =>
    names.map((name): ComparedCase => {
      const [before, after] = [ofBase?.get(caseKey(name)), ofCandidate?.get(caseKey(name))];
      return {
        ...name,
        change: 'unpaired',
        base: before === undefined ? null : sideOf(before),
        candidate: after === undefined ? null : sideOf(after),
        scores: [],
        unpaired,
      };
    });
  const compared = pairs.map((pair) => pairOf(pair, criteria));
  const drop = new Map(compared.map((one) => [one, worst(one, criteria)]));
  return [
    ...compared.sort(
      (a, b) => ORDER.indexOf(a.change) - ORDER.indexOf(b.change) || (drop.get(a) ?? 0) - (drop.get(b) ?? 0),
    ),
    ...alone(askedOtherwise, 'it gives the agent different input now'),
    ...alone(onlyBase, 'only the base run has it'),
    ...alone(onlyCandidate, 'only the new run has it'),
  ];
}

function pairOf({ base, candidate }: CasePair, criteria: readonly CriterionFacts[]): ComparedCase {
  const scoreIn = ({ criteria: own }: CaseOutcome, name: string) =>
    own.find((criterion) => criterion.name === name)?.score ?? null;
  const scores = criteria
    .flatMap(({ name, range }): readonly (ScoreChange & { readonly size: number })[] => {
      const [before, after] = [scoreIn(base, name), scoreIn(candidate, name)];
      if (before === after) return [];
      if (before === null || after === null) return [{ name, base: before, candidate: after, better: null, size: 0 }];
      const gain = (after - before) * (range.better === 'higher' ? 1 : -1);
      return [{ name, base: before, candidate: after, better: gain > 0, size: Math.abs(gain) / widthOf({ range }) }];
    })
    .sort((a, b) => b.size - a.size)
    .map(({ size: _, ...one }) => one);
  const [before, after] = [sideOf(base), sideOf(candidate)];
  const alike = scores.length > 0 || before.passed !== after.passed || before.of !== after.of ? 'changed' : 'same';
  return {
    setId: candidate.setId,
    caseId: candidate.caseId,
    change: base.verdict === candidate.verdict ? alike : directionOf(base.verdict, candidate.verdict),
    base: before,
    candidate: after,
    scores,
  };
}

/** Returns the largest fall of a score as a share of its scale, as a negative number. */
function worst({ change, scores }: ComparedCase, criteria: readonly CriterionFacts[]): number {
  if (change !== 'changed') return 0;
  const gains = scores.flatMap(({ name, base, candidate, better }) => {
    const own = criteria.find((criterion) => criterion.name === name);
    if (own === undefined || base === null || candidate === null) return [];
    return [((better === true ? 1 : -1) * Math.abs(candidate - base)) / widthOf(own)];
  });
  return gains.length === 0 ? 0 : Math.min(...gains);
}

function widthOf({ range: { min, max } }: Pick<CriterionFacts, 'range'>): number {
  return max === null ? 1 : max - min;
}
