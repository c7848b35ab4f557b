import { contentText, type Invocation, intermediateTexts, isInvocationEvents } from '@agent-criteria/core';

/** A text of the agent that is judged, and what the agent had before it. */
export interface Step {
  readonly text: string;
  /** Tells it from an equal text of another time: equal texts of one place have the same before them. */
  readonly place: number;
  /** The turn as far as it had come when the text was written. */
  readonly seen: Invocation;
  /** The same, with the event that the text belongs to: what a model's search found stands beside what the model says of it. */
  readonly grounded: Invocation;
  /** What a reader should know of how the text was judged. */
  readonly note?: string;
}

/**
 * The texts of a turn that are judged, in order: the final answer with everything before it; with `intermediate` first
 * every text part of an event, each with the events strictly before that one. Thoughts are left out, and so is what is
 * only white space. The steps are ADK's.
 *
 * The older form of intermediate data does not say which of its texts came before which call: each is judged against all
 * calls of the turn, and none against the others. In ADK this form counts as no events.
 */
export function stepsOf(actual: Invocation, intermediate: boolean, compat: 'adk' | null): readonly Step[] {
  const data = actual.intermediateData;
  if (data && !isInvocationEvents(data)) {
    if (compat === 'adk') return finalStep({ ...actual, intermediateData: null });
    const seen = { ...actual, intermediateData: { ...data, intermediateResponses: [] } };
    const texts = intermediate ? intermediateTexts(actual) : [];
    const note =
      'it is not recorded whether this was written before or after the calls of the turn: it was judged against all of them';
    return [...texts.flatMap(({ text }) => step(text, 0, seen, seen, note)), ...finalStep(actual)];
  }
  const events = data?.invocationEvents ?? [];
  const until = (count: number): Invocation => ({
    ...actual,
    intermediateData: { invocationEvents: events.slice(0, count) },
  });
  const texts = (intermediate ? events : []).flatMap(({ content }, index) =>
    (content?.parts ?? []).flatMap(({ text, thought }) =>
      text && thought !== true ? step(text, index, until(index), until(index + 1)) : [],
    ),
  );
  return [...texts, ...finalStep(actual)];
}

function finalStep(actual: Invocation): readonly Step[] {
  return step(contentText(actual.finalResponse), Number.POSITIVE_INFINITY, actual, actual);
}

function step(text: string, place: number, seen: Invocation, grounded: Invocation, note?: string): readonly Step[] {
  return text.trim() === '' ? [] : [{ text, place, seen, grounded, note }];
}
