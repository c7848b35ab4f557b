import { type Content, CriteriaError, type Json, type Part, pythonTransfer } from '@agent-criteria/core';
import type { EarlierTurn } from '@agent-criteria/core/host';
import { isObject, recordedEvents } from '@agent-criteria/formats';
import { parseInvocation } from '@agent-criteria/formats/parse';
import { fieldOf } from '@agent-criteria/formats/schema';

/** An event of a turn, normalised to one spelling. */
export interface AgentEvent {
  readonly author: string;
  readonly invocationId: string | undefined;
  readonly parts: readonly Part[];
  readonly content: Content | undefined;
  /** Whether the event is only a part of a later, complete event. */
  readonly partial: boolean;
  readonly groundingMetadata: unknown;
  readonly urlContextMetadata: unknown;
  readonly usageMetadata: unknown;
  readonly modelVersion: string | undefined;
  readonly interrupted: boolean;
  readonly finishReason: string | undefined;
  readonly errorCode: string | undefined;
  readonly errorMessage: string | undefined;
  /** Whether the turn ends here by request: a tool's response is to be the answer, or a user has to sign in. */
  readonly endsTurn: boolean;
  /** The path of the workflow node that the event comes from. */
  readonly node: string | undefined;
  /** Whether the event contains the node's output. */
  readonly hasOutput: boolean;
  /** Ids of calls whose response comes after the turn, if at all. */
  readonly longRunningToolIds: readonly string[];
  /** In milliseconds since the epoch. */
  readonly at: number | undefined;
}

/**
 * Parses the events of an answer. Python servers write camelCase, and older ones snake_case. Both are accepted, even
 * inside the content. Calls to `transfer_to_agent` get Python's argument name `agent_name`, whichever language wrote
 * them.
 *
 * @throws CriteriaError INVALID_DATA for a value that is not an event, with its index.
 */
export function readEvents(values: readonly unknown[]): AgentEvent[] {
  const events = values.map((value, index) => {
    if (isObject(value)) return value;
    const message = 'the server sent an invalid event: it must be an object';
    throw new CriteriaError({ code: 'INVALID_DATA', path: `$[${index}]`, message });
  });
  // Core knows all spellings of content fields and validates them.
  const { value } = parseInvocation({
    user_content: {},
    intermediate_data: {
      invocation_events: events.map((event) => ({ author: '', content: fieldOf(event, 'content') ?? null })),
    },
  });
  const data = value.intermediateData;
  const contents = data && 'invocationEvents' in data ? (data.invocationEvents ?? []) : [];
  return events.map((event, index) => readEvent(event, contents[index]?.content ?? undefined));
}

function readEvent(event: Readonly<Record<string, unknown>>, content: Content | undefined): AgentEvent {
  const actions = fieldOf(event, 'actions');
  const node = fieldOf(event, 'nodeInfo');
  const longRunning = fieldOf(event, 'longRunningToolIds');
  const whole = content?.parts ? { ...content, parts: content.parts.map(withPythonTransfer) } : content;
  return {
    author: textOf(fieldOf(event, 'author')) ?? '',
    invocationId: textOf(fieldOf(event, 'invocationId')),
    parts: whole?.parts ?? [],
    content: whole,
    partial: fieldOf(event, 'partial') === true,
    groundingMetadata: fieldOf(event, 'groundingMetadata') ?? undefined,
    urlContextMetadata: fieldOf(event, 'urlContextMetadata') ?? undefined,
    usageMetadata: fieldOf(event, 'usageMetadata') ?? undefined,
    modelVersion: textOf(fieldOf(event, 'modelVersion')),
    interrupted: fieldOf(event, 'interrupted') === true,
    finishReason: textOf(fieldOf(event, 'finishReason')),
    errorCode: textOf(fieldOf(event, 'errorCode')),
    errorMessage: textOf(fieldOf(event, 'errorMessage')),
    endsTurn: isObject(actions) && endsTurn(actions),
    node: isObject(node) ? textOf(fieldOf(node, 'path')) : undefined,
    hasOutput: (fieldOf(event, 'output') ?? null) !== null,
    longRunningToolIds: Array.isArray(longRunning) ? longRunning.filter((id) => typeof id === 'string') : [],
    at: millisecondsOf(fieldOf(event, 'timestamp')),
  };
}

function endsTurn(actions: Readonly<Record<string, unknown>>): boolean {
  const asked = fieldOf(actions, 'requestedAuthConfigs');
  return fieldOf(actions, 'skipSummarization') === true || (isObject(asked) && Object.keys(asked).length > 0);
}

function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * Converts a timestamp to milliseconds. Python uses seconds, TypeScript and Java milliseconds: 10^11 seconds would be
 * the year 5138.
 */
function millisecondsOf(timestamp: unknown): number | undefined {
  if (typeof timestamp !== 'number' || !(timestamp > 0)) return undefined;
  return Math.round(timestamp < 1e11 ? timestamp * 1000 : timestamp);
}

function withPythonTransfer(part: Part): Part {
  return part.functionCall ? { ...part, functionCall: pythonTransfer(part.functionCall) } : part;
}

/**
 * Returns the events of earlier turns: those that a server reported, unchanged, or events built from the turn.
 *
 * @param agentName The author to use if the turn names none. A server treats a different name as a different agent.
 */
export function earlierEvents(history: readonly EarlierTurn[], agentName: string): readonly Json[] {
  return history.flatMap(({ invocation, events }, turn) =>
    events === undefined
      ? recordedEvents(invocation, agentName, `e-earlier-${turn + 1}`).map(
          (event): Json => ({ ...event, content: event.content as Json }),
        )
      : events.filter((event) => Object(event).partial !== true),
  );
}
