import type { Content, ErrorCode, Json, Span, State } from '@agent-criteria/core';
import { fileNames } from '@agent-criteria/formats';
import { stepsOfTurn } from '@agent-criteria/viewer/trace-steps';
import type { SessionEvent, SessionSpan } from '../../api.ts';
import { isStateChange } from '../../sessions/event.ts';
import { textOfEvent } from '../chat/chat-event.ts';
import type { TraceGroup } from './trace-group.ts';

const EVENT = 'gcp.vertex.agent.event_id';
const INVOCATION = 'gcp.vertex.agent.invocation_id';

/** Groups the spans of a session by message. */
export function groupsOfSession(events: readonly SessionEvent[], spans: readonly SessionSpan[]): readonly TraceGroup[] {
  // State changes between turns are not messages.
  const turns = events.filter((event) => !isStateChange(event));
  const ids = [...new Set(turns.map(({ invocationId }) => String(invocationId ?? '')))];
  return ids.map((id, turn) => {
    const own = events.filter((event) => String(event.invocationId ?? '') === id);
    const asked = own.find(({ author }) => author === 'user');
    // The root span adds nothing to the message.
    const inside = spans.filter(
      ({ attributes, name, parent_span_id }) =>
        attributes[INVOCATION] === id && !(name === 'invocation' && parent_span_id === null),
    );
    const recorded = inside.map((span) => spanOf(span, turn));
    const said = own.map((event) => ({
      id: String(event.id),
      author: String(event.author),
      content: event.content,
      value: event,
      ...(typeof event.timestamp === 'number' ? { at: event.timestamp * 1000 } : {}),
    }));
    const eventOfSpan = new Map(
      inside.flatMap(({ span_id, attributes }) => {
        const event = attributes[EVENT];
        return typeof event === 'string' && event !== '' ? [[span_id, event] as const] : [];
      }),
    );
    const { steps, eventOfStep } = stepsOfTurn({ turn, spans: recorded, events: said, eventOfSpan, time: null });
    return {
      id,
      title: asked === undefined ? '' : textOfEvent(asked) || fileNames(asked.content as Content).join(', '),
      spans: steps,
      events: said,
      eventOfSpan: eventOfStep,
    };
  });
}

/** Converts an ADK span. */
function spanOf({ span_id, parent_span_id, name, start_time, end_time, attributes }: SessionSpan, turn: number): Span {
  const [kind, rest] = kindOf(name);
  const text = (key: string) => {
    const value = attributes[key];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const [request, response] =
    kind === 'tool'
      ? [text('gcp.vertex.agent.tool_call_args'), text('gcp.vertex.agent.tool_response')]
      : [text('gcp.vertex.agent.llm_request'), text('gcp.vertex.agent.llm_response')];
  const usage = usageOf(attributes);
  const author = text('gen_ai.agent.name');
  const message = text('error.message');
  const stack = text('exception.stacktrace');
  return {
    id: span_id,
    kind,
    name: rest,
    turn,
    startedAt: start_time / 1e6,
    endedAt: end_time / 1e6,
    ...(parent_span_id === null ? {} : { parentId: parent_span_id }),
    ...(author === undefined ? {} : { author }),
    ...(request === undefined ? {} : { request: jsonOf(request) }),
    ...(response === undefined ? {} : { response: jsonOf(response) }),
    ...(usage === undefined ? {} : { usage }),
    ...(message === undefined
      ? {}
      : {
          error: {
            code: (text('error.type') ?? 'AGENT_FAILED') as ErrorCode,
            message,
            ...(stack === undefined ? {} : { stack }),
          },
        }),
  };
}

const PREFIXES = [
  ['invoke_agent ', 'agent'],
  ['invoke_node ', 'agent'],
  ['execute_tool ', 'tool'],
  ['generate_content ', 'model'],
  ['call_llm', 'model'],
] as const;

function kindOf(name: string): readonly [Span['kind'], string] {
  for (const [prefix, kind] of PREFIXES) {
    if (name.startsWith(prefix)) return [kind, name.slice(prefix.length).trim() || prefix.trim()];
  }
  return ['other', name];
}

function usageOf(attributes: SessionSpan['attributes']): State | undefined {
  const [input, output] = [attributes['gen_ai.usage.input_tokens'], attributes['gen_ai.usage.output_tokens']];
  if (typeof input !== 'number' && typeof output !== 'number') return undefined;
  return {
    ...(typeof input === 'number' ? { promptTokenCount: input } : {}),
    ...(typeof output === 'number' ? { candidatesTokenCount: output } : {}),
  };
}

function jsonOf(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
