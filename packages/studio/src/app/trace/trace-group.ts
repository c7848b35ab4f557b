import { type Invocation, isInvocationEvents, type Span } from '@agent-criteria/core';
import { messageTitle } from '@agent-criteria/formats';
import {
  stepsOfTurn,
  type TraceStep,
  type TurnEvent,
  timeOfTurn,
  turnEvents,
} from '@agent-criteria/viewer/trace-steps';
import { eventsOfSpans } from '../../traces/events-of-spans.ts';

/** The steps and events of a message. */
export interface TraceGroup {
  readonly id: string;
  readonly title: string;
  /** Recorded spans, and steps that only the events show. */
  readonly spans: readonly TraceStep[];
  readonly events: readonly TraceEvent[];
  /** Ids of the events that spans produced, by span id. */
  readonly eventOfSpan: ReadonlyMap<string, string>;
  /** The recorded turn, whose events may report tokens that the spans lack. */
  readonly invocation?: Invocation | undefined;
}

export interface TraceEvent {
  readonly id: string;
  readonly author: string;
  readonly content?: unknown;
  /** The original event. */
  readonly value: unknown;
}

/**
 * Groups the spans of a repeat by turn.
 *
 * @param asked Messages of the case, because a failed turn has spans but no recorded message.
 * @param agentName The agent, where the turns do not say who called tools.
 */
export function groupsOfRun(
  spans: readonly Span[],
  invocations: readonly Invocation[],
  asked: readonly string[] = [],
  agentName?: string,
): readonly TraceGroup[] {
  const turns = spans.reduce((most, { turn }) => Math.max(most, turn + 1), invocations.length);
  return Array.from({ length: turns }, (_, turn) => {
    const { [turn]: invocation } = invocations;
    const own = spans.filter((span) => span.turn === turn);
    const id = `turn-${turn}`;
    if (invocation === undefined) {
      return { id, title: asked[turn] ?? '', spans: own, events: [], eventOfSpan: new Map<string, string>() };
    }
    const events = turnEvents(invocation, turn, agentName);
    const title = messageTitle(invocation.userContent);
    const eventOfSpan = producedIn(invocation, own, events);
    const time = timeOfTurn(invocation);
    const { steps, eventOfStep } = stepsOfTurn({ turn, spans: own, events, eventOfSpan, time, agentName });
    return { id, title, spans: steps, events, eventOfSpan: eventOfStep, invocation };
  });
}

/** Links spans to events. If no events were recorded, links model calls only when their number is unambiguous. */
function producedIn(
  { intermediateData: data }: Invocation,
  spans: readonly Span[],
  events: readonly TurnEvent[],
): ReadonlyMap<string, string> {
  if (data && isInvocationEvents(data)) return eventsOfSpans(spans, events);
  const models = spans.filter(({ kind }) => kind === 'model').length;
  const made = events.filter(({ content }) => !content?.parts?.some(({ functionResponse }) => functionResponse)).length;
  const known = models === made ? spans : spans.filter(({ kind }) => kind !== 'model');
  // The author is unknown as well.
  return eventsOfSpans(
    known.map(({ author: _, ...span }) => span),
    events,
  );
}

/** Returns the events that a span produced, or else those of its descendants. */
export function producedBy({ spans, eventOfSpan }: TraceGroup, id: string): ReadonlySet<string> {
  const own = eventOfSpan.get(id);
  if (own !== undefined) return new Set([own]);
  const inside = new Set([id]);
  // Repeats until nothing is added, because spans may be in any order.
  for (let before = 0; before !== inside.size; ) {
    before = inside.size;
    for (const span of spans) if (span.parentId !== undefined && inside.has(span.parentId)) inside.add(span.id);
  }
  return new Set([...inside].flatMap((one) => eventOfSpan.get(one) ?? []));
}
