import type { UnitKey } from '@agent-criteria/core';
import { type CaseResult, stringifyJson } from '@agent-criteria/core/host';
import { tokenCounts } from '@agent-criteria/results';
import { type Context, ROOT_CONTEXT, type Span, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api';
import type { RunEvent, RunWatcher } from './engine/events.ts';
import type { EndedCall } from './engine/record-calls.ts';

/** A case of which some unit has been started. */
interface OpenCase {
  readonly span: Span;
  readonly context: Context;
}

/**
 * Watches a run and tells it as OpenTelemetry spans: the run; in it every case, with an event `gen_ai.evaluation.result`
 * for each criterion; in that the agent's part and the scoring of each repeat. Names of attributes follow
 * OpenTelemetry's conventions for generative AI where there are any. No text of a conversation is told.
 *
 * @param tracer Of `@opentelemetry/api`: `trace.getTracer('my-evaluations')`.
 * @param parent What the run is a part of. Default: nothing.
 */
export function openTelemetrySpans(tracer: Tracer, parent: Context = ROOT_CONTEXT): RunWatcher {
  const cases = new Map<string, OpenCase>();
  let run: Span | null = null;
  let context = parent;

  const caseOf = ({ setId, caseId }: Pick<UnitKey, 'setId' | 'caseId'>, at: number): OpenCase => {
    const text = stringifyJson([setId, caseId]);
    const open = cases.get(text);
    if (open !== undefined) return open;
    const attributes = { 'agent_criteria.eval_set.id': setId, 'agent_criteria.eval_case.id': caseId };
    const span = tracer.startSpan('evaluate case', { startTime: at, attributes }, context);
    const opened = { span, context: trace.setSpan(context, span) };
    cases.set(text, opened);
    return opened;
  };
  const part = (name: string, key: UnitKey, from: number): Span =>
    tracer.startSpan(
      name,
      { startTime: from, attributes: { 'agent_criteria.repeat': key.repeat } },
      caseOf(key, from).context,
    );
  /** A call to a model, in the case; one that was answered from a cache was no request. */
  const tellCall = (call: EndedCall, at: number): void => {
    if (call.from === 'cache' || call.from === 'recording') return;
    const span = part('chat', call.key, call.startedAt);
    const counts = tokenCounts(call.usage);
    // Only what is known becomes an attribute.
    span.setAttributes({
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': call.to,
      'agent_criteria.caller': call.by,
      ...(counts === null ? {} : { 'gen_ai.usage.input_tokens': counts.inputTokens }),
      ...(counts === null ? {} : { 'gen_ai.usage.output_tokens': counts.outputTokens }),
      ...(call.finish === undefined ? {} : { 'gen_ai.response.finish_reasons': [call.finish] }),
    });
    if (call.error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: call.error.message });
    span.end(at);
  };
  const endCase = (result: CaseResult, at: number): void => {
    const { setId, caseId, verdict, reason } = result;
    const { span } = caseOf(result, at);
    span.setAttribute('agent_criteria.verdict', verdict);
    for (const criterion of result.criteria) span.addEvent('gen_ai.evaluation.result', resultOf(criterion), at);
    if (verdict === 'error') span.setStatus({ code: SpanStatusCode.ERROR, message: reason });
    span.end(at);
    cases.delete(stringifyJson([setId, caseId]));
  };

  return (event: RunEvent): void => {
    const { at } = event;
    switch (event.type) {
      case 'run-started':
        run = tracer.startSpan(
          'evaluate',
          { startTime: at, attributes: { 'agent_criteria.units': event.units } },
          parent,
        );
        context = trace.setSpan(parent, run);
        break;
      case 'unit-started':
        caseOf(event.key, at);
        break;
      case 'unit-inferred': {
        const span = part('invoke_agent', event.key, event.startedAt);
        span.setAttribute('agent_criteria.ending', event.ending.by);
        if (event.ending.by === 'error') {
          span.setStatus({ code: SpanStatusCode.ERROR, message: event.ending.error.message });
        }
        span.end(at);
        break;
      }
      case 'unit-scored':
        part('score', event.key, event.startedAt).end(at);
        break;
      case 'call-finished':
        tellCall(event.call, at);
        break;
      case 'case-finished':
        endCase(event.result, at);
        break;
      case 'run-finished':
        for (const { span } of cases.values()) span.end(at);
        cases.clear();
        run?.setAttributes({
          'agent_criteria.verdict': event.summary.verdict,
          'agent_criteria.finished': event.finished,
        });
        run?.end(at);
        break;
    }
  };
}

/** A missing score has no value here: never 0. */
function resultOf(criterion: CaseResult['criteria'][number]) {
  const { name, verdict, score, coverage, threshold, reason } = criterion;
  return {
    'gen_ai.evaluation.name': name,
    'gen_ai.evaluation.score.label': verdict,
    ...(score === null ? {} : { 'gen_ai.evaluation.score.value': score }),
    ...(reason === undefined ? {} : { 'gen_ai.evaluation.explanation': reason }),
    ...(threshold === null ? {} : { 'agent_criteria.threshold': threshold }),
    ...(coverage === null ? {} : { 'agent_criteria.coverage': coverage }),
  };
}
