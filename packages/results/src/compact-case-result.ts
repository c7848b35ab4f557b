import { couldNotJudge, type Score } from '@agent-criteria/core';
import type { CaseResult, CriterionResult, TurnResult, UnitScores } from '@agent-criteria/core/host';

/** A case result without turn scores, which are stored with the units. */
export type CompactCaseResult = Omit<CaseResult, 'criteria'> & {
  readonly criteria: readonly (Omit<CriterionResult, 'turns'> & { readonly turns: readonly BareTurn[] })[];
};
type BareTurn = Omit<TurnResult, 'score'>;

export function compactCaseResult(result: CaseResult): CompactCaseResult {
  return {
    ...result,
    criteria: result.criteria.map((criterion) => ({
      ...criterion,
      turns: criterion.turns.map(({ repeat, turn, value, reached }) => ({ repeat, turn, value, reached })),
    })),
  };
}

/**
 * The inverse of `compactCaseResult`.
 *
 * @param units The scores of the case's units, in any order.
 */
export function expandCaseResult(bare: CompactCaseResult, units: readonly UnitScores[]): CaseResult {
  return {
    ...bare,
    criteria: bare.criteria.map((criterion) => {
      const next = scoresByRepeat(criterion.name, units);
      return { ...criterion, turns: criterion.turns.map((turn) => ({ ...turn, score: next(turn.repeat) })) };
    }),
  };
}

/** Returns a function that yields one criterion's scores for a repeat, in turn order. */
function scoresByRepeat(name: string, units: readonly UnitScores[]): (repeat: number) => Score {
  const left = units.map(({ key, criteria }) => {
    return {
      repeat: key.repeat,
      scores: criteria.find((criterion) => criterion.name === name)?.scores ?? [],
      taken: 0,
    };
  });
  let current = left[0];
  return (repeat) => {
    // Turns of the same repeat are mostly consecutive.
    if (current?.repeat !== repeat) current = left.find((unit) => unit.repeat === repeat);
    const score = current?.scores[current.taken++];
    return score ?? couldNotJudge('this repeat was never scored');
  };
}
