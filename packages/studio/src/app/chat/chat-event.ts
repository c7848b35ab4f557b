import { isObject } from '@agent-criteria/core/host';
import type { SessionEvent } from '../../api.ts';

/** What one event shows in a conversation. */
export interface ChatEntry {
  readonly id: string;
  readonly invocationId: string;
  readonly author: string;
  /** Unix seconds; `null`: it does not say. */
  readonly at: number | null;
  readonly parts: readonly ChatPart[];
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly stateDelta: Readonly<Record<string, unknown>> | null;
  /** More of it is to come. */
  readonly isPartial: boolean;
}

export type ChatPart =
  | { readonly kind: 'text' | 'thought'; readonly text: string }
  | { readonly kind: 'call' | 'response'; readonly name: string; readonly value: unknown }
  | { readonly kind: 'image'; readonly source: string; readonly name: string }
  | { readonly kind: 'other'; readonly name: string; readonly value: unknown };

/** Drawn by the browser; anything else is only named. */
const IMAGES = /^image\/(?:png|jpeg|gif|webp)$/;

export function chatEntry(event: SessionEvent): ChatEntry {
  const { id, invocationId, author, timestamp, errorCode, errorMessage, actions, partial } = event;
  const delta = isObject(actions) ? actions.stateDelta : undefined;
  const failed = Boolean(errorCode) || Boolean(errorMessage);
  return {
    id: String(id ?? ''),
    invocationId: String(invocationId ?? ''),
    author: String(author ?? 'agent'),
    at: typeof timestamp === 'number' ? timestamp : null,
    parts: rawParts(event).flatMap(chatPart),
    error: failed ? { code: String(errorCode ?? 'ERROR'), message: String(errorMessage ?? '') } : null,
    stateDelta: isObject(delta) && Object.keys(delta).length > 0 ? delta : null,
    isPartial: partial === true,
  };
}

/** The events of a turn so far. Pieces of an answer are one event, which the whole answer then replaces. */
export function withEvent(events: readonly SessionEvent[], event: SessionEvent): readonly SessionEvent[] {
  const last = events.at(-1);
  const open = last?.partial === true && last.author === event.author ? last : undefined;
  const before = open === undefined ? events : events.slice(0, -1);
  if (event.partial !== true || open === undefined) return [...before, event];
  const parts = [...rawParts(open)];
  for (const part of rawParts(event)) {
    const end = parts.at(-1);
    if (isText(part) && isText(end) && Boolean(part.thought) === Boolean(end.thought)) {
      parts[parts.length - 1] = { ...end, text: end.text + part.text };
    } else parts.push(part);
  }
  return [...before, { ...open, content: { role: 'model', parts } as SessionEvent['content'] } as SessionEvent];
}

/** What an event says, without thoughts. */
export function textOfEvent(event: SessionEvent): string {
  return chatEntry(event)
    .parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []))
    .join('\n');
}

/** The newest version of each artifact that a conversation made. */
export function artifactsOf(events: readonly SessionEvent[]): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>();
  for (const { actions } of events) {
    const delta = isObject(actions) ? actions.artifactDelta : undefined;
    if (isObject(delta)) for (const [name, version] of Object.entries(delta)) found.set(name, version);
  }
  return found;
}

function rawParts({ content }: SessionEvent): readonly unknown[] {
  return isObject(content) && Array.isArray(content.parts) ? content.parts : [];
}

function isText(part: unknown): part is { readonly text: string; readonly thought?: unknown } {
  return isObject(part) && typeof part.text === 'string';
}

function chatPart(part: unknown): ChatPart[] {
  if (!isObject(part)) return [];
  const { functionCall: call, functionResponse: response, inlineData: data } = part;
  if (isText(part)) return part.text === '' ? [] : [{ kind: part.thought ? 'thought' : 'text', text: part.text }];
  if (isObject(call)) return [{ kind: 'call', name: String(call.name ?? ''), value: call.args ?? {} }];
  if (isObject(response)) {
    return [{ kind: 'response', name: String(response.name ?? ''), value: response.response ?? null }];
  }
  if (isObject(data) && typeof data.data === 'string' && typeof data.mimeType === 'string') {
    const name = String(data.displayName ?? data.mimeType);
    if (IMAGES.test(data.mimeType) && /^[\w+/=-]*$/.test(data.data)) {
      const source = `data:${data.mimeType};base64,${data.data.replaceAll('-', '+').replaceAll('_', '/')}`;
      return [{ kind: 'image', source, name }];
    }
    return [{ kind: 'other', name, value: { ...data, data: `${Math.floor((data.data.length * 3) / 4)} bytes` } }];
  }
  const [name = 'part'] = Object.keys(part);
  return [{ kind: 'other', name, value: part }];
}
