import type { Span } from '@agent-criteria/core';

/** A span that can still change. */
export type OpenSpan = { -readonly [Key in keyof Span]: Span[Key] };

/** The spans of one turn, in order of their start. */
export interface SpanList {
  start(span: Omit<OpenSpan, 'id' | 'turn' | 'startedAt'>): OpenSpan;
  /** Returns all spans except these. */
  without(dropped: ReadonlySet<OpenSpan>): readonly Span[];
}

/** @param turn From 0. */
export function openSpanList(turn: number): SpanList {
  const spans: OpenSpan[] = [];
  return {
    start(span) {
      const started = { id: `${turn + 1}.${spans.length + 1}`, turn, startedAt: Date.now(), ...span };
      spans.push(started);
      return started;
    },
    without: (dropped) => spans.filter((span) => !dropped.has(span)),
  };
}
