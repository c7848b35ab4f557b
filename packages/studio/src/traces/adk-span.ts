import { randomHex, sha256 } from '@agent-criteria/calls';
import type { ErrorInfo, Json, Span, State } from '@agent-criteria/core';
import { stringifyJson } from '@agent-criteria/formats';
import type { SessionSpan } from '../api.ts';
import type { AdkEvent } from '../sessions/event.ts';
import { eventsOfSpans } from './events-of-spans.ts';

/** A span in the format that ADK's server returns. ADK's client drops a whole trace if a single attribute is null. */
export interface AdkSpan extends SessionSpan {
  readonly trace_id: string;
}

export interface TurnOfSpans {
  /** Events of the turn, starting with the user's message. */
  readonly events: readonly AdkEvent[];
  readonly agentName: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Milliseconds since the epoch. Default: now. */
  readonly endedAt?: number | undefined;
  /** Why the turn failed. Default: it did not. */
  readonly error?: ErrorInfo | undefined;
}

/** Converts the spans of one turn to a trace: the invocation, its agents, and their calls to models and tools. */
export function adkSpans(
  sessionId: string,
  spans: readonly Span[],
  { events, agentName, startedAt, endedAt: until = Date.now(), error }: TurnOfSpans,
): readonly AdkSpan[] {
  const trace = randomHex(16);
  const invocationId = String(events[0]?.invocationId ?? '');
  const idOf = (id: string) => sha256(`${trace} ${id}`).slice(0, 16);
  const root = idOf('invocation');
  const agent = idOf('agent');
  const hasAgent = spans.some(({ kind }) => kind === 'agent');
  const ids = new Set(spans.map(({ id }) => id));
  const endedAt = Math.max(until, ...spans.map((span) => span.endedAt ?? span.startedAt));
  const eventIds = eventsOfSpans(spans, events);
  const common = { 'gcp.vertex.agent.session_id': sessionId, 'gcp.vertex.agent.invocation_id': invocationId };
  const whole = { trace_id: trace, start_time: nanoseconds(startedAt), end_time: nanoseconds(endedAt) };
  const agentSpan = {
    ...whole,
    name: `invoke_agent ${agentName}`,
    span_id: agent,
    parent_span_id: root,
    attributes: { ...common, ...agentAttributes(agentName, sessionId), ...errorAttributes(error) },
  };
  return [
    { ...whole, name: 'invocation', span_id: root, parent_span_id: null, attributes: common },
    ...(hasAgent ? [] : [agentSpan]),
    ...spans.map((span) => {
      const eventId = eventIds.get(span.id);
      const { parentId } = span;
      return {
        name: nameOf(span),
        span_id: idOf(span.id),
        trace_id: trace,
        parent_span_id: parentId !== undefined && ids.has(parentId) ? idOf(parentId) : hasAgent ? root : agent,
        start_time: nanoseconds(span.startedAt),
        end_time: nanoseconds(span.endedAt ?? endedAt),
        attributes: {
          ...common,
          // The client requires this attribute.
          'gcp.vertex.agent.event_id': eventId ?? '',
          ...attributesOf(span, sessionId),
          ...errorAttributes(span.error),
        },
      };
    }),
  ];
}

function errorAttributes(error: ErrorInfo | undefined): AdkSpan['attributes'] {
  if (error === undefined) return {};
  const { code, message, stack } = error;
  return {
    'error.type': code,
    'error.message': message,
    ...(stack === undefined ? {} : { 'exception.stacktrace': stack }),
  };
}

function nanoseconds(milliseconds: number): number {
  return Math.round(milliseconds * 1e6);
}

function nameOf({ kind, name }: Span): string {
  if (kind === 'agent') return `invoke_agent ${name}`;
  if (kind === 'tool') return `execute_tool ${name}`;
  return kind === 'model' ? `generate_content ${name}` : name;
}

function agentAttributes(name: string, sessionId: string): AdkSpan['attributes'] {
  return {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': name,
    'gen_ai.agent.description': '',
    'gen_ai.conversation.id': sessionId,
  };
}

function attributesOf(
  { kind, name, author, request, response, usage }: Span,
  sessionId: string,
): AdkSpan['attributes'] {
  if (kind === 'agent') return agentAttributes(name, sessionId);
  const written = (value: Json | undefined) => (value === undefined ? '{}' : stringifyJson(value));
  if (kind === 'tool') {
    return {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': name,
      'gcp.vertex.agent.tool_call_args': written(request),
      'gcp.vertex.agent.tool_response': written(response),
    };
  }
  if (kind !== 'model') return {};
  return {
    'gen_ai.operation.name': 'generate_content',
    'gen_ai.request.model': name,
    ...(author === undefined ? {} : { 'gen_ai.agent.name': author }),
    'gen_ai.conversation.id': sessionId,
    'gcp.vertex.agent.llm_request': written(request),
    'gcp.vertex.agent.llm_response': written(response),
    ...count('gen_ai.usage.input_tokens', usage, 'promptTokenCount'),
    ...count('gen_ai.usage.output_tokens', usage, 'candidatesTokenCount'),
  };
}

function count(attribute: string, usage: State | undefined, field: string): AdkSpan['attributes'] {
  const value = usage?.[field];
  return typeof value === 'number' ? { [attribute]: value } : {};
}
