import { contentText, type Invocation, isInvocationEvents, type Span } from '@agent-criteria/core';
import type { TurnEvent } from '@agent-criteria/viewer/views';
import { eventsOfSpans } from '../../traces/events-of-spans.ts';
import { turnEvents } from './turn-events.ts';

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

/**
 * The trace of a repeat of an eval run.
 *
 * @param asked What the user was to say, turn by turn: a turn that failed has recorded steps, but no message.
 */
export function groupsOfRun(
  spans: readonly Span[],
  invocations: readonly Invocation[],
  asked: readonly string[] = [],
): readonly TraceGroup[] {
  const turns = spans.reduce((most, { turn }) => Math.max(most, turn + 1), invocations.length);
  return Array.from({ length: turns }, (_, turn) => {
    const { [turn]: invocation } = invocations;
    const own = spans.filter((span) => span.turn === turn);
    const id = `turn-${turn}`;
    if (invocation === undefined) {
      return { id, title: asked[turn] ?? '', spans: own, events: [], eventOfSpan: new Map<string, string>() };
    }
    const events = turnEvents(invocation, turn);
    const title = contentText(invocation.userContent);
    return { id, title, spans: own, events, eventOfSpan: producedIn(invocation, own, events), invocation };
  });
}

/** Where no events were recorded, nothing says which model call made which of several calls and texts. */
function producedIn(
  { intermediateData: data }: Invocation,
  spans: readonly Span[],
  events: readonly TurnEvent[],
): ReadonlyMap<string, string> {
  if (data && isInvocationEvents(data)) return eventsOfSpans(spans, events);
  const models = spans.filter(({ kind }) => kind === 'model').length;
  const made = events.filter(({ content }) => !content?.parts?.some(({ functionResponse }) => functionResponse)).length;
  const known = models === made ? spans : spans.filter(({ kind }) => kind !== 'model');
  // Nor who it was.
  return eventsOfSpans(
    known.map(({ author: _, ...span }) => span),
    events,
  );
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
