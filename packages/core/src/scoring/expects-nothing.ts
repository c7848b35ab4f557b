import { type EvalCase, hasContent, type Invocation } from '@agent-criteria/formats';
import { historyLength } from '@agent-criteria/formats/parse';
import type { PlannedCriterion } from '../resolve/plan.ts';

/** Ends the reason why such a case is not evaluated. */
export const EXPECTS_NOTHING = 'no turn of the case says what is expected, neither an answer nor tool calls';

/**
 * Whether a fixed conversation says nothing of what is expected: no turn has an answer, and none says anything about tool
 * calls. Intermediate data says it, whatever its form: without calls, none are expected.
 */
export function expectsNothing(evalCase: EvalCase): boolean {
  // History is given, not expected.
  const turns = (evalCase.conversation ?? []).slice(historyLength(evalCase));
  return turns.length > 0 && turns.every(saysNothing);
}

function saysNothing({ finalResponse, intermediateData }: Invocation): boolean {
  const hasAnswer = finalResponse?.parts?.some((part) => hasContent(part) && part.text?.trim() !== '') === true;
  return !hasAnswer && (intermediateData ?? null) === null;
}

/**
 * Whether criteria have nothing to compare with: all that decide compare with a reference, and the case has none. Only those
 * that apply are given. List A: nothing-expected.
 */
export function comparesWithNothing(
  evalCase: EvalCase,
  applied: readonly Pick<PlannedCriterion, 'decides' | 'criterion'>[],
): boolean {
  const deciding = applied.filter(({ decides }) => decides);
  return (
    deciding.length > 0 &&
    deciding.every(({ criterion }) => criterion.needs?.reference !== undefined) &&
    expectsNothing(evalCase)
  );
}
