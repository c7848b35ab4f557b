import { couldNotJudge, type Score } from '@agent-criteria/core';
import type { CaseResult, CriterionResult, TurnResult, UnitScores } from '@agent-criteria/core/host';

/** A case's result without the scores of its turns: those are kept with its units. */
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

/** The opposite of `compactCaseResult`. @param units The scores of the case's units, in any order. */
export function expandCaseResult(bare: CompactCaseResult, units: readonly UnitScores[]): CaseResult {
  return {
    ...bare,
    criteria: bare.criteria.map((criterion) => {
      const next = scoresByRepeat(criterion.name, units);
      return { ...criterion, turns: criterion.turns.map((turn) => ({ ...turn, score: next(turn.repeat) })) };
    }),
  };
}

/** Gives the scores of one criterion, repeat by repeat, in the order of the turns. */
function scoresByRepeat(name: string, units: readonly UnitScores[]): (repeat: number) => Score {
  const left = new Map<number, Iterator<Score>>();
  for (const unit of units) {
    const scores = unit.criteria.find((criterion) => criterion.name === name)?.scores ?? [];
    left.set(unit.key.repeat, scores[Symbol.iterator]());
  }
  return (repeat) => {
    const next = left.get(repeat)?.next();
    if (next !== undefined && next.done !== true) return next.value;
    return couldNotJudge('this repeat was never scored');
  };
}
