import { isObject } from '@agent-criteria/formats';
import type { SessionEvent } from '../../api.ts';
import { isText, partsOf, STACK } from '../../sessions/event.ts';
import type { FileData } from '../../sessions/message-files.ts';

/** The visible content of an event. */
export interface ChatEntry {
  readonly id: string;
  readonly invocationId: string;
  readonly author: string;
  /** Unix seconds, or `null` if unknown. */
  readonly at: number | null;
  readonly parts: readonly ChatPart[];
  readonly error: { readonly code: string; readonly message: string; readonly stack: string | null } | null;
  readonly stateDelta: Readonly<Record<string, unknown>> | null;
  /** Whether the event is still being streamed. */
  readonly isPartial: boolean;
  /** Whether the event was interrupted. */
  readonly isCut: boolean;
}

export type ChatPart =
  | { readonly kind: 'text' | 'thought'; readonly text: string }
  | ToolPart<'call'>
  | ToolPart<'response'>
  | { readonly kind: 'file'; readonly file: FileData }
  | { readonly kind: 'other'; readonly name: string; readonly value: unknown };

interface ToolPart<Kind> {
  readonly kind: Kind;
  /** Joins a call and its result. `null` if it has none. */
  readonly id: string | null;
  readonly name: string;
  readonly value: unknown;
}

export function chatEntry(event: SessionEvent): ChatEntry {
  const { id, invocationId, author, timestamp, errorCode, errorMessage, actions, partial } = event;
  const delta = isObject(actions) ? actions.stateDelta : undefined;
  const failed = Boolean(errorCode) || Boolean(errorMessage);
  return {
    id: String(id ?? ''),
    invocationId: String(invocationId ?? ''),
    author: String(author ?? 'agent'),
    at: typeof timestamp === 'number' ? timestamp : null,
    parts: partsOf(event).flatMap(chatPart),
    error: failed
      ? { code: String(errorCode ?? 'ERROR'), message: String(errorMessage ?? ''), stack: stackOf(event) }
      : null,
    stateDelta: isObject(delta) && Object.keys(delta).length > 0 ? delta : null,
    isPartial: partial === true,
    isCut: event.interrupted === true && !failed,
  };
}

function stackOf({ customMetadata }: SessionEvent): string | null {
  const stack = isObject(customMetadata) ? customMetadata[STACK] : undefined;
  return typeof stack === 'string' ? stack : null;
}

/** Returns the text of an event, without thoughts. */
export function textOfEvent(event: SessionEvent): string {
  return chatEntry(event)
    .parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []))
    .join('\n');
}

function chatPart(part: unknown): ChatPart[] {
  if (!isObject(part)) return [];
  const { functionCall: call, functionResponse: response, inlineData: data } = part;
  if (isText(part)) return part.text === '' ? [] : [{ kind: part.thought ? 'thought' : 'text', text: part.text }];
  if (isObject(call)) return [{ kind: 'call', id: idOf(call), name: String(call.name ?? ''), value: call.args ?? {} }];
  if (isObject(response)) {
    const value = response.response ?? null;
    return [{ kind: 'response', id: idOf(response), name: String(response.name ?? ''), value }];
  }
  if (isObject(data)) return [{ kind: 'file', file: fileOf(data) }];
  const [name = 'part'] = Object.keys(part);
  return [{ kind: 'other', name, value: part }];
}

function idOf({ id }: Readonly<Record<string, unknown>>): string | null {
  return typeof id === 'string' && id !== '' ? id : null;
}

/** Reads a file as an agent reports it, which may be of any form. */
function fileOf({ data, mimeType, displayName }: Readonly<Record<string, unknown>>): FileData {
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  return { data: text(data), mimeType: text(mimeType), displayName: text(displayName) };
}
