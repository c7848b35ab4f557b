import { contentText, type EvalCase, type Invocation, isInvocationEvents, toolCalls } from '@agent-criteria/core';
import { same } from '../case/merge-values.ts';

export const FIELDS = ['answer', 'calls'] as const;
/** A part of a turn that is expected: the final response, or the tool calls before it. */
export type Field = (typeof FIELDS)[number];

/** A deviation of the recorded conversation from the expected one. */
export interface Difference {
  readonly turn: number;
  readonly field: Field;
}

/**
 * Compares a recorded conversation with the expected one, turn by turn. Skips turns whose question in the case has
 * changed.
 *
 * @param actual The recorded turns, in the format of expected turns.
 */
export function differences(evalCase: EvalCase, actual: readonly Invocation[]): readonly Difference[] {
  return (evalCase.conversation ?? []).flatMap((expected, turn) => {
    const { [turn]: happened } = actual;
    if (happened === undefined || contentText(expected.userContent) !== contentText(happened.userContent)) return [];
    return FIELDS.filter((field) => differs[field](expected, happened)).map((field) => ({ turn, field }));
  });
}

const differs: Readonly<Record<Field, (expected: Invocation, actual: Invocation) => boolean>> = {
  answer: (expected, actual) => {
    const given = contentText(actual.finalResponse).trim();
    return given !== '' && contentText(expected.finalResponse).trim() !== given;
  },
  calls: (expected, actual) => !same(callsIn(expected), callsIn(actual)),
};

/** Copies the accepted parts of a recorded conversation into a case. */
export function acceptActual(
  evalCase: EvalCase,
  actual: readonly Invocation[],
  accepted: readonly Difference[],
): EvalCase {
  const conversation = evalCase.conversation?.map((expected, turn) => {
    const { [turn]: happened } = actual;
    const takes = (field: Field) => accepted.some((one) => one.turn === turn && one.field === field);
    if (happened === undefined) return expected;
    return {
      ...expected,
      ...(takes('answer') && happened.finalResponse ? { finalResponse: happened.finalResponse } : {}),
      ...(takes('calls') ? { intermediateData: callsOf(expected, happened) } : {}),
    };
  });
  return conversation === undefined ? evalCase : { ...evalCase, conversation };
}

/** Takes the recorded calls. Keeps the other expected data, except where either side lists events. */
function callsOf({ intermediateData: before }: Invocation, { intermediateData: next }: Invocation) {
  if (!next || !before || isInvocationEvents(next) || isInvocationEvents(before)) return next ?? { toolUses: [] };
  const { toolResponses: _, ...kept } = before;
  return { ...kept, ...next };
}

/** Returns the calls without their ids. */
function callsIn(invocation: Invocation): readonly unknown[] {
  return toolCalls(invocation).map(({ name, args }) => [name, args ?? {}]);
}
