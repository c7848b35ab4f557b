import { contentText, type Invocation, intermediateTexts, isInvocationEvents } from '@agent-criteria/core';

/** A judged text of the agent, and the agent's context. */
export interface Step {
  readonly text: string;
  /** Distinguishes equal texts: two texts with the same value have the same context. */
  readonly place: number;
  /** The turn up to the point when the text was written. */
  readonly seen: Invocation;
  /**
   * The same, including the event of the text itself: a model's search results are recorded together with the text
   * about them.
   */
  readonly grounded: Invocation;
  /** A note for readers on how the text was judged. */
  readonly note?: string;
}

/**
 * Lists the texts of a turn to judge, in order. With `intermediate`, every text part of an event comes first, each with
 * the events strictly before it; the final answer comes last, with everything before it. Thoughts and blank texts are
 * omitted. The steps are the same as in ADK.
 *
 * The older format of intermediate data does not record which text came before which call: each text is judged against
 * all calls of the turn, and not against other texts. ADK treats this format as having no events.
 */
export function stepsOf(actual: Invocation, intermediate: boolean, compat: 'adk' | null): readonly Step[] {
  const data = actual.intermediateData;
  if (data && !isInvocationEvents(data)) {
    if (compat === 'adk') return finalStep({ ...actual, intermediateData: null });
    const seen = { ...actual, intermediateData: { ...data, intermediateResponses: [] } };
    const texts = intermediate ? intermediateTexts(actual) : [];
    const note =
      'it was not recorded whether this was written before or after the calls of the turn, so it was judged against all of them';
    return [...texts.flatMap(({ text }) => step(text, 0, seen, seen, note)), ...finalStep(actual)];
  }
  const events = data?.invocationEvents ?? [];
  const until = (count: number): Invocation => ({
    ...actual,
    finalResponse: null,
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
