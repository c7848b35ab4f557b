import type { Invocation, Span } from '@agent-criteria/core';
import { type TokenCounts, usageOf } from '@agent-criteria/results';
import { isUntimed, type TraceStep } from './trace-step.ts';

/** A turn's steps on a time axis. Unknown numbers are absent, never 0. */
export interface Waterfall {
  /** Steps below their parents, sorted by start time. */
  readonly rows: readonly { readonly span: TraceStep; readonly depth: number }[];
  /** In milliseconds since the epoch. */
  readonly start: number;
  /** In milliseconds, or `null` if no step is known to have ended. */
  readonly length: number | null;
  readonly models: number;
  readonly tools: number;
  readonly errors: number;
  /** The sum over all model calls, or `null` if none reports tokens. */
  readonly tokens: TokenCounts | null;
}

const DEEPEST = 8;

/**
 * Arranges steps on a time axis.
 *
 * @param invocation The turn, whose events may report tokens that its spans lack.
 */
export function waterfall(spans: readonly TraceStep[], invocation: Invocation | undefined): Waterfall {
  const ends = spans.flatMap(({ startedAt, endedAt }) => [startedAt, endedAt ?? startedAt]);
  const start = ends.reduce((least, time) => Math.min(least, time), Number.POSITIVE_INFINITY);
  const end = ends.reduce((most, time) => Math.max(most, time), start);
  const number = (fits: (span: TraceStep) => boolean) => spans.filter(fits).length;
  return {
    rows: nested(spans),
    start,
    length: spans.some((span) => span.endedAt !== undefined && !isUntimed(span)) ? end - start : null,
    models: number(({ kind }) => kind === 'model'),
    tools: number(({ kind }) => kind === 'tool'),
    errors: number(({ error }) => error !== undefined),
    tokens: tokensOf(spans, invocation),
  };
}

function tokensOf(steps: readonly TraceStep[], invocation: Invocation | undefined): TokenCounts | null {
  // The events of the turn already hold what steps derived from them report.
  const spans = invocation === undefined ? steps : steps.filter((step) => !isUntimed(step));
  const trace = spans.flatMap(({ kind, ...span }): Span[] => (kind === 'text' ? [] : [{ ...span, kind, turn: 0 }]));
  const inference = {
    sessionId: '',
    invocations: invocation === undefined ? [] : [invocation],
    state: { initial: null, final: null },
    trace,
    ending: { by: 'end-of-case' as const },
  };
  return usageOf({ inferences: [{ key: { setId: '', caseId: '', repeat: 0 }, inference }] }).agent?.tokens ?? null;
}

function nested(spans: readonly TraceStep[]): Waterfall['rows'] {
  const sorted = [...spans].sort((a, b) => a.startedAt - b.startedAt);
  const known = new Set(sorted.map(({ id }) => id));
  const inside = new Map<string | undefined, TraceStep[]>();
  for (const span of sorted) {
    const above =
      span.parentId !== undefined && span.parentId !== span.id && known.has(span.parentId) ? span.parentId : undefined;
    const group = inside.get(above);
    if (group === undefined) inside.set(above, [span]);
    else group.push(span);
  }
  const rows: { span: TraceStep; depth: number }[] = [];
  const seen = new Set<TraceStep>();
  // Not recursive, because traces may be nested arbitrarily deep.
  const waiting = [...(inside.get(undefined) ?? [])].reverse().map((span) => ({ span, depth: 0 }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { span, depth } = next;
    if (seen.has(span)) continue;
    seen.add(span);
    rows.push({ span, depth: Math.min(depth, DEEPEST) });
    for (const child of [...(inside.get(span.id) ?? [])].reverse()) waiting.push({ span: child, depth: depth + 1 });
  }
  // Spans in a cycle must be shown too.
  for (const span of sorted) if (!seen.has(span)) rows.push({ span, depth: 0 });
  return rows;
}
