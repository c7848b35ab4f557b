import type { ScorePart } from '@agent-criteria/core';
import type { Labelled, RunCase, RunCriterion } from '@agent-criteria/results';

/** Returns the question for the person who labels: the rubric's text, or the criterion's description. */
export function questionOf(
  { result }: Pick<RunCase, 'result'>,
  { criterion, rubric, repeat, turn }: Pick<Labelled, 'criterion' | 'rubric' | 'repeat' | 'turn'>,
  criteria: readonly Pick<RunCriterion, 'name' | 'description'>[],
): string {
  if (criterion === null) return 'Is this right as a whole?';
  const description = criteria.find(({ name }) => name === criterion)?.description ?? '';
  if (rubric === null) return description;
  const turns = result.criteria.find(({ name }) => name === criterion)?.turns ?? [];
  const score = turns.find((one) => one.repeat === repeat && one.turn === turn)?.score;
  const parts: readonly ScorePart[] = score !== undefined && 'parts' in score ? score.parts : [];
  return parts.find(({ id }) => id === rubric)?.text ?? description;
}
