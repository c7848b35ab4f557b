import type { Span } from '@agent-criteria/core';
import { isObject } from '@agent-criteria/formats';
import { partsOf } from '../sessions/event.ts';

/** The fields of an event that are used here. */
export interface SpanEvent {
  readonly id?: unknown;
  readonly author?: unknown;
  readonly partial?: unknown;
  readonly content?: unknown;
}

/** Finds the event that each model or tool call produced: the next possible event by the same author. */
export function eventsOfSpans(spans: readonly Span[], events: readonly SpanEvent[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const taken = new Set<SpanEvent>();
  const answered = new Map<SpanEvent, number>();
  for (const span of spans.toSorted((one, other) => one.startedAt - other.startedAt)) {
    const event = events.find((candidate) => !candidate.partial && !taken.has(candidate) && couldMake(span, candidate));
    if (event === undefined) continue;
    // Tools that were called together respond in a single event, each once.
    const answers = (answered.get(event) ?? 0) + 1;
    answered.set(event, answers);
    if (span.kind === 'model' || answers === responsesIn(event).length) taken.add(event);
    found.set(span.id, String(event.id));
  }
  return found;
}

function couldMake({ kind, name, author }: Span, event: SpanEvent): boolean {
  if (event.author === 'user' || (author !== undefined && event.author !== author)) return false;
  const responses = responsesIn(event);
  if (kind === 'tool') return responses.some((response) => response.name === name);
  return kind === 'model' && responses.length === 0;
}

function responsesIn({ content }: SpanEvent): readonly Readonly<Record<string, unknown>>[] {
  return partsOf({ content }).flatMap((part) =>
    isObject(part) && isObject(part.functionResponse) ? [part.functionResponse] : [],
  );
}
