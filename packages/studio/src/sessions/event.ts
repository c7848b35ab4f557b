import type { Json } from '@agent-criteria/core';
import { isObject } from '@agent-criteria/formats';

/** An ADK event, in camel case. */
export type AdkEvent = Readonly<Record<string, Json>>;

/** Whether an event is a user message. State changes between turns are authored by the user, too. */
export function isMessage(event: AdkEvent): boolean {
  return event.author === 'user' && partsOf(event).length > 0;
}

export function isStateChange(event: AdkEvent): boolean {
  return event.author === 'user' && !isMessage(event);
}

/** Error code for a turn that the user stopped. */
export const STOPPED = 'STOPPED';

/** The key of an error's stack in the metadata of its event: ADK's events have no field for it. */
export const STACK = 'stack';

type Event = Readonly<Record<string, unknown>>;

/** Adds an event to a turn. Partial events are accumulated and then replaced by the complete one. */
export function withPiece<One extends Event>(events: readonly One[], event: One): readonly One[] {
  const last = events.at(-1);
  const open = last?.partial === true && last.author === event.author ? last : undefined;
  const before = open === undefined ? events : events.slice(0, -1);
  if (event.partial !== true || open === undefined) return [...before, event];
  const parts = [...partsOf(open)];
  for (const part of partsOf(event)) {
    const end = parts.at(-1);
    if (isText(part) && isText(end) && Boolean(part.thought) === Boolean(end.thought)) {
      parts[parts.length - 1] = { ...end, text: end.text + part.text };
    } else parts.push(part);
  }
  return [...before, { ...open, content: { role: 'model', parts } }];
}

export function partsOf({ content }: Event): readonly unknown[] {
  return isObject(content) && Array.isArray(content.parts) ? content.parts : [];
}

export function isText(part: unknown): part is { readonly text: string; readonly thought?: unknown } {
  return isObject(part) && typeof part.text === 'string';
}

/** Returns the latest version of each artifact mentioned in the events. */
export function newestArtifacts(events: readonly Readonly<Record<string, unknown>>[]): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>();
  for (const { actions } of events) {
    const delta = isObject(actions) ? actions.artifactDelta : undefined;
    if (isObject(delta)) for (const [name, version] of Object.entries(delta)) found.set(name, version);
  }
  return found;
}
