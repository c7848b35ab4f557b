import { randomUUID } from '@agent-criteria/calls';
import type { Content, Json } from '@agent-criteria/core';
import { isObject } from '@agent-criteria/formats';
import type { AdkEvent } from './event.ts';

/** Adds the fields that ADK's clients need. Times are in seconds, as in Python. */
export function withIdentity(event: AdkEvent, invocationId: string): AdkEvent {
  const { timestamp } = event;
  const at = typeof timestamp === 'number' ? timestamp : Date.now();
  return {
    ...event,
    id: textOr(event.id, randomUUID()),
    invocationId: textOr(event.invocationId, invocationId),
    actions: event.actions ?? { stateDelta: {}, artifactDelta: {} },
    timestamp: at > 1e11 ? at / 1000 : at,
  };
}

/** Creates the first event of a turn from the user's message. @param next The event after it. */
export function userEvent(content: Content, { invocationId = '' }: AdkEvent, at: number): AdkEvent {
  return withIdentity({ author: 'user', content: jsonOf(content), timestamp: at }, String(invocationId));
}

function textOr(value: Json | undefined, otherwise: string): string {
  return typeof value === 'string' && value !== '' ? value : otherwise;
}

/** Returns a deep copy, which later changes by the agent do not affect. */
export function jsonOf(value: object): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}

/** Fields whose keys are chosen by the agent's author. */
const FREE = new Set([
  'args',
  'response',
  'stateDelta',
  'artifactDelta',
  'customMetadata',
  'requestedAuthConfigs',
  'requestedToolConfirmations',
  'output',
]);

/** Converts an event from snake case, which older ADK servers use. Data from agents and tools stays unchanged. */
export function camelEvent(event: Readonly<Record<string, unknown>>): AdkEvent {
  return camel(event as Json) as AdkEvent;
}

function camel(value: Json): Json {
  if (Array.isArray(value)) return value.map(camel);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value as Record<string, Json>).map(([key, field]) => {
      const name = key.replace(/(?<=[^_])_([a-z])/g, (_, letter: string) => letter.toUpperCase());
      return [name, FREE.has(name) ? field : camel(field)];
    }),
  );
}
