import type { ErrorInfo, UnitKey } from '@agent-criteria/core';
import { evaluationAttributes } from '@agent-criteria/results';
import { type Context, ROOT_CONTEXT, type Span, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api';
import type { RunEvent, RunWatcher } from './engine/events.ts';
import { callAttributes } from './otel/span-attributes.ts';
import { caseText } from './unit-key.ts';

type CaseKey = Omit<UnitKey, 'repeat'>;
type CaseSpans = ReturnType<typeof openCaseSpans>;

type EventOf<Type extends RunEvent['type']> = Extract<RunEvent, { readonly type: Type }>;

/**
 * Creates a watcher that reports a run as OpenTelemetry spans. The run's span contains one span per case, with a
 * `gen_ai.evaluation.result` event for each criterion. A case's span contains one span for the inference and one for
 * the scoring of each repeat, and one for each call to a model or service. Attributes are named after OpenTelemetry's
 * conventions for generative AI where those exist. Spans contain no messages, but reasons of results and error messages
 * may quote them. Secrets in spans are masked.
 *
 * @param tracer A tracer from `@opentelemetry/api`: `trace.getTracer('my-evaluations')`.
 * @param parent The context of the run's span. Default: none.
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
        recordInference(cases, event);
        break;
      case 'unit-scored':
        cases.part('score', event.key, event.startedAt).end(event.at);
        break;
      case 'call-finished':
        recordCall(cases, event);
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

function recordInference(cases: CaseSpans, { key, startedAt, at, ending }: EventOf<'unit-inferred'>): void {
  const span = cases.part('invoke_agent', key, startedAt);
  span.setAttribute('agent_criteria.ending', ending.by);
  if (ending.by === 'error') fail(span, ending.error);
  span.end(at);
}

/** Records a model call. An answer from a cache or a recording is not a request. */
function recordCall(cases: CaseSpans, { call, at }: EventOf<'call-finished'>): void {
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
  for (const criterion of criteria) span.addEvent('gen_ai.evaluation.result', evaluationAttributes(criterion), at);
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

/** Creates the spans of cases as needed. Times are Unix milliseconds. @param parent The context of the run's span. */
function openCaseSpans(tracer: Tracer, parent: Context) {
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
    /** Returns a case's span, starting it now if necessary. */
    of: (key: CaseKey, at: number): Span => caseOf(key, at).span,
    /** Starts a span for part of a repeat. */
    part(name: string, key: UnitKey, from: number): Span {
      const attributes = { 'agent_criteria.repeat': key.repeat };
      return tracer.startSpan(name, { startTime: from, attributes }, caseOf(key, from).context);
    },
    end(key: CaseKey, at: number): void {
      caseOf(key, at).span.end(at);
      open.delete(caseText(key));
    },
    endAll(at: number): void {
      for (const { span } of open.values()) span.end(at);
      open.clear();
    },
  };
}
