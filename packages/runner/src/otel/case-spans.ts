import type { UnitKey } from '@agent-criteria/core';
import { type Context, type Span, type Tracer, trace } from '@opentelemetry/api';
import { caseText } from '../unit-key.ts';

type CaseKey = Omit<UnitKey, 'repeat'>;

/** The spans of cases. Times are Unix milliseconds. */
export interface CaseSpans {
  /** The span of a case, which begins now where it has not begun. */
  of(key: CaseKey, at: number): Span;
  /** A span of something that a repeat of a case did. */
  part(name: string, key: UnitKey, from: number): Span;
  end(key: CaseKey, at: number): void;
  endAll(at: number): void;
}

/** @param parent The span of the run. */
export function openCaseSpans(tracer: Tracer, parent: Context): CaseSpans {
  const open = new Map<string, { readonly span: Span; readonly context: Context }>();

  function caseOf(key: CaseKey, at: number) {
    const known = open.get(caseText(key));
    if (known !== undefined) return known;
    const attributes = {
      'agent_criteria.eval_set.id': key.setId,
      'agent_criteria.eval_case.id': key.caseId,
      ...(key.variant !== undefined && { 'agent_criteria.variant': key.variant }),
    };
    const span = tracer.startSpan('evaluate case', { startTime: at, attributes }, parent);
    const opened = { span, context: trace.setSpan(parent, span) };
    open.set(caseText(key), opened);
    return opened;
  }

  return {
    of: (key, at) => caseOf(key, at).span,
    part(name, key, from) {
      const attributes = { 'agent_criteria.repeat': key.repeat };
      return tracer.startSpan(name, { startTime: from, attributes }, caseOf(key, from).context);
    },
    end(key, at) {
      caseOf(key, at).span.end(at);
      open.delete(caseText(key));
    },
    endAll(at) {
      for (const { span } of open.values()) span.end(at);
      open.clear();
    },
  };
}
