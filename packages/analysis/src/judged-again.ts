import type { Score, ScorePart } from '@agent-criteria/core';
import type { TurnResult } from '@agent-criteria/core/host';
import { groupOf } from '@agent-criteria/formats';
import type { RunRecord } from '@agent-criteria/results';
import type { JudgedAgain } from './judge-noise.ts';
import { partPassed } from './judgements.ts';

/**
 * Collects the scores and verdicts that each criterion gave for each conversation, from a run whose repeats are
 * rounds of judging: repeats 0 to `times` - 1 judge the agent's first repeat, the next ones its second.
 */
export async function judgedAgainOf(
  run: RunRecord,
  times: number,
): Promise<ReadonlyMap<string, readonly JudgedAgain[]>> {
  const found = new Map<string, JudgedAgain[]>();
  for await (const { setId, variant, evalCase, result } of run.cases()) {
    const ofVariant = variant === undefined ? {} : { variant };
    const about = { setId, caseId: evalCase.evalId, ...ofVariant, group: groupOf(evalCase) };
    const repeats = [...new Set(result.units.map(({ repeat }) => Math.floor(repeat / times)))];
    for (const { name, turns } of result.criteria) {
      const range = run.sets.flatMap(({ criteria }) => criteria).find((one) => one.name === name)?.range;
      const own = found.get(name) ?? [];
      found.set(name, own);
      for (const repeat of repeats) {
        const judgings = Array.from({ length: times }, (_, time) => repeat * times + time);
        const judged = turns.filter((one) => judgings.includes(one.repeat));
        const verdictsOf = (read: (one: TurnResult) => boolean | null) =>
          [...new Set(judged.map(({ turn }) => turn))].map((turn) =>
            judgings.map((judging) => {
              const one = judged.find((other) => other.repeat === judging && other.turn === turn);
              return one === undefined ? null : read(one);
            }),
          );
        const rubrics = new Set(judged.flatMap(({ score }) => partsOf(score).map(({ id }) => id)));
        own.push({
          ...about,
          repeat,
          scores: judgings.map((judging) => {
            const unit = result.units.find((one) => one.repeat === judging);
            return unit?.criteria.find((one) => one.name === name)?.score ?? null;
          }),
          verdicts: verdictsOf(({ reached }) => reached),
          rubrics: [...rubrics].map((rubric) => ({
            rubric,
            verdicts: verdictsOf(({ score }) => {
              const part = partsOf(score).find(({ id }) => id === rubric);
              return part === undefined ? null : partPassed(part, range);
            }),
          })),
        });
      }
    }
  }
  return found;
}

/**
 * Returns the parts with stable ids. Sentences have none, because their numbers depend on how the judge splits the
 * text.
 */
function partsOf(score: Score): readonly ScorePart[] {
  return 'parts' in score ? score.parts.filter(({ kind }) => kind === 'rubric' || kind === 'behaviour') : [];
}
