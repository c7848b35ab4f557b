import { contentText, type Invocation, isInvocationEvents, type Span } from '@agent-criteria/core';
import { eventsOfSpans } from '../../traces/events-of-spans.ts';

/** What a message of the user set off. */
export interface TraceGroup {
  readonly id: string;
  /** The message. */
  readonly title: string;
  readonly spans: readonly Span[];
  readonly events: readonly TraceEvent[];
  /** The event that a step produced, by the ids of both. */
  readonly eventOfSpan: ReadonlyMap<string, string>;
  /** Its events may tell tokens that the steps do not. */
  readonly invocation?: Invocation | undefined;
}

export interface TraceEvent {
  readonly id: string;
  readonly author: string;
  readonly content?: unknown;
  /** All of it, as it came. */
  readonly value: unknown;
}

/** The trace of a repeat of an eval run. */
export function groupsOfRun(spans: readonly Span[], invocations: readonly Invocation[]): readonly TraceGroup[] {
  return invocations.map((invocation, turn) => {
    const events = said(invocation).map((value, place) => ({
      id: `${turn}-${place}`,
      author: value.author,
      content: value.content,
      value,
    }));
    const own = spans.filter((span) => span.turn === turn);
    const title = contentText(invocation.userContent);
    return { id: `turn-${turn}`, title, spans: own, events, eventOfSpan: eventsOfSpans(own, events), invocation };
  });
}

/** The events that a step produced, or else those of what is inside it. */
export function producedBy({ spans, eventOfSpan }: TraceGroup, id: string): ReadonlySet<string> {
  const own = eventOfSpan.get(id);
  if (own !== undefined) return new Set([own]);
  const inside = new Set([id]);
  // A list of steps need not be sorted.
  for (let before = 0; before !== inside.size; ) {
    before = inside.size;
    for (const span of spans) if (span.parentId !== undefined && inside.has(span.parentId)) inside.add(span.id);
  }
  return new Set([...inside].flatMap((one) => eventOfSpan.get(one) ?? []));
}

function said({ intermediateData, finalResponse }: Invocation) {
  const isWhole = intermediateData && isInvocationEvents(intermediateData);
  const steps = isWhole ? (intermediateData.invocationEvents ?? []) : [];
  const author = steps.at(-1)?.author ?? 'agent';
  return [...steps, ...(finalResponse ? [{ author, content: finalResponse }] : [])];
}
