import { type EvalCase, hasContent, type Invocation } from '@agent-criteria/formats';
import { historyLength } from '@agent-criteria/formats/parse';
import type { PlannedCriterion } from '../resolve/plan.ts';

/** The reason why a case that expects nothing is not evaluated. */
export const EXPECTS_NOTHING = 'no turn of the case says what is expected, neither an answer nor tool calls';

/**
 * Whether a fixed conversation has no reference: no turn after the history has an expected answer or intermediate data.
 * Intermediate data without calls is a reference: it expects no calls.
 */
export function expectsNothing(evalCase: EvalCase): boolean {
  const conversation = evalCase.conversation ?? [];
  const last = conversation.at(-1);
  // Decides nearly every case without reading the others.
  if (last === undefined || !saysNothing(last)) return false;
  const turns = conversation.slice(historyLength(evalCase));
  return turns.length > 0 && turns.every(saysNothing);
}

function saysNothing({ finalResponse, intermediateData }: Invocation): boolean {
  const hasAnswer = finalResponse?.parts?.some((part) => hasContent(part) && part.text?.trim() !== '') === true;
  return !hasAnswer && (intermediateData ?? null) === null;
}

/**
 * Whether all deciding criteria compare with a reference, and the case has none. List A: nothing-expected.
 *
 * @param applied The criteria that apply to the case.
 */
export function comparesWithNothing(
  evalCase: EvalCase,
  applied: readonly Pick<PlannedCriterion, 'decides' | 'criterion'>[],
): boolean {
  // Rarely so, and quickly seen.
  if (!expectsNothing(evalCase)) return false;
  const deciding = applied.filter(({ decides }) => decides);
  return deciding.length > 0 && deciding.every(({ criterion }) => criterion.needs?.reference !== undefined);
}
