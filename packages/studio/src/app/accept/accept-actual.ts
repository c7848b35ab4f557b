import {
  contentText,
  type EvalCase,
  type FunctionCall,
  type Invocation,
  isInvocationEvents,
  toolCalls,
} from '@agent-criteria/core';

export const FIELDS = ['answer', 'calls'] as const;
/** What of a turn is expected: the final response, or the tool calls on the way to it. */
export type Field = (typeof FIELDS)[number];

/** Where a conversation went otherwise than expected. */
export interface Difference {
  /** From 0. */
  readonly turn: number;
  readonly field: Field;
}

/**
 * Where a recorded conversation differs from what a case expects, in the order of its turns. A turn of which the case now asks something
 * else is none of them: what was answered, answers another question.
 *
 * @param actual What happened, as what would be expected.
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
  calls: (expected, actual) => callsText(expected) !== callsText(actual),
};

/** A case that expects what happened in these places; all else in it stays as it is. */
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

/** Where neither side lists events, what was expected beside the calls stays. */
function callsOf({ intermediateData: before }: Invocation, { intermediateData: next }: Invocation) {
  if (!next || !before || isInvocationEvents(next) || isInvocationEvents(before)) return next ?? { toolUses: [] };
  const { toolResponses: _, ...kept } = before;
  return { ...kept, ...next };
}

/** Calls are the same whatever their ids, and in whatever order their arguments are written. */
function callsText(invocation: Invocation): string {
  return JSON.stringify(toolCalls(invocation).map(({ name, args }: FunctionCall) => [name, sorted(args ?? {})]));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, inner]) => [key, sorted(inner)]);
}
