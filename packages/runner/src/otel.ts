import type { ErrorInfo } from '@agent-criteria/core';
import { type Context, ROOT_CONTEXT, type Span, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api';
import type { RunEvent, RunWatcher } from './engine/events.ts';
import { type CaseSpans, openCaseSpans } from './otel/case-spans.ts';
import { callAttributes, resultAttributes } from './otel/span-attributes.ts';

type EventOf<Type extends RunEvent['type']> = Extract<RunEvent, { readonly type: Type }>;

/**
 * Watches a run and tells it as OpenTelemetry spans: the run; in it every case, with an event `gen_ai.evaluation.result`
 * for each criterion; in that the agent's part and the scoring of each repeat. Names of attributes follow
 * OpenTelemetry's conventions for generative AI where there are any. No text of a conversation is told.
 *
 * @param tracer Of `@opentelemetry/api`: `trace.getTracer('my-evaluations')`.
 * @param parent What the run is a part of. Default: nothing.
 */
export function openTelemetrySpans(tracer: Tracer, parent: Context = ROOT_CONTEXT): RunWatcher {
  let run: Span | null = null;
  let cases = openCaseSpans(tracer, parent);
  return (event: RunEvent): void => {
    switch (event.type) {
      case 'run-started':
        run = startRun(tracer, parent, event);
        cases = openCaseSpans(tracer, trace.setSpan(parent, run));
        break;
      case 'unit-started':
        cases.of(event.key, event.at);
        break;
      case 'unit-inferred':
        tellInference(cases, event);
        break;
      case 'unit-scored':
        cases.part('score', event.key, event.startedAt).end(event.at);
        break;
      case 'call-finished':
        tellCall(cases, event);
        break;
      case 'case-finished':
        endCase(cases, event);
        break;
      case 'run-finished':
        cases.endAll(event.at);
        if (run !== null) endRun(run, event);
        break;
    }
  };
}

function startRun(tracer: Tracer, parent: Context, { at, units }: EventOf<'run-started'>): Span {
  return tracer.startSpan('evaluate', { startTime: at, attributes: { 'agent_criteria.units': units } }, parent);
}

function tellInference(cases: CaseSpans, { key, startedAt, at, ending }: EventOf<'unit-inferred'>): void {
  const span = cases.part('invoke_agent', key, startedAt);
  span.setAttribute('agent_criteria.ending', ending.by);
  if (ending.by === 'error') fail(span, ending.error);
  span.end(at);
}

/** A call to a model, in the case; one that was answered from a cache was no request. */
function tellCall(cases: CaseSpans, { call, at }: EventOf<'call-finished'>): void {
  if (call.from === 'cache' || call.from === 'recording') return;
  const span = cases.part('chat', call.key, call.startedAt);
  span.setAttributes(callAttributes(call));
  if (call.error !== undefined) fail(span, call.error);
  span.end(at);
}

function endCase(cases: CaseSpans, { result, at }: EventOf<'case-finished'>): void {
  const { verdict, reason, criteria } = result;
  const span = cases.of(result, at);
  span.setAttribute('agent_criteria.verdict', verdict);
  for (const criterion of criteria) span.addEvent('gen_ai.evaluation.result', resultAttributes(criterion), at);
  if (verdict === 'error') fail(span, { message: reason });
  cases.end(result, at);
}

function endRun(run: Span, { at, summary, finished }: EventOf<'run-finished'>): void {
  run.setAttributes({ 'agent_criteria.verdict': summary.verdict, 'agent_criteria.finished': finished });
  run.end(at);
}

function fail(span: Span, { message }: { readonly message?: ErrorInfo['message'] | undefined }): void {
  span.setStatus({ code: SpanStatusCode.ERROR, message });
}
