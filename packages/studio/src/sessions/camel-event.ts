import type { Json } from '@agent-criteria/core';
import { isObject } from '@agent-criteria/formats';
import type { AdkEvent } from './chat-session.ts';

/** Below these, keys are those of the agent's author. */
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

/** An event as ADK's newer servers spell it; older ones write snake case. What agents and tools wrote stays as it is. */
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
