import { contentText, type Invocation, isInvocationEvents, type Json, type Span } from '@agent-criteria/core';

/** What a message of the user set off. */
export interface TraceGroup {
  readonly id: string;
  /** The message. */
  readonly title: string;
  /** Without the step that is all of it. */
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
  readonly value: Json;
}

/** The trace of a repeat of an eval run. */
export function groupsOfRun(spans: readonly Span[], invocations: readonly Invocation[]): readonly TraceGroup[] {
  return invocations.map((invocation, turn) => {
    const events = eventsOf(invocation).map(({ author, content }, place) => ({
      id: `${turn}-${place}`,
      author,
      value: { author, content } as unknown as Json,
    }));
    const own = spans.filter((span) => span.turn === turn);
    return {
      id: `turn-${turn}`,
      title: contentText(invocation.userContent),
      spans: own,
      events,
      eventOfSpan: eventsOfSpans(own, events),
      invocation,
    };
  });
}

/** The events that a step produced, or what is inside it. */
export function producedBy({ spans, eventOfSpan }: TraceGroup, id: string): ReadonlySet<string> {
  const own = eventOfSpan.get(id);
  if (own !== undefined) return new Set([own]);
  const found = new Set<string>();
  const inside = new Set([id]);
  // What is inside begins later than what it is in, but lists need not be sorted.
  for (let before = 0; before !== inside.size; ) {
    before = inside.size;
    for (const span of spans) if (span.parentId !== undefined && inside.has(span.parentId)) inside.add(span.id);
  }
  for (const one of inside) {
    const event = eventOfSpan.get(one);
    if (event !== undefined) found.add(event);
  }
  return found;
}

function eventsOf({ intermediateData }: Invocation) {
  return intermediateData && isInvocationEvents(intermediateData) ? (intermediateData.invocationEvents ?? []) : [];
}
