import { randomUUID } from '@agent-criteria/calls';
import { type Content, CriteriaError, type Part } from '@agent-criteria/core';
import type { Endpoint } from './agent-card.ts';

/** A method of the protocol, by its purpose. */
export type Method = 'send' | 'stream' | 'get' | 'cancel';

const METHODS: Readonly<Record<Endpoint['version'], Readonly<Record<Method, string>>>> = {
  '0.3': { send: 'message/send', stream: 'message/stream', get: 'tasks/get', cancel: 'tasks/cancel' },
  '1.0': { send: 'SendMessage', stream: 'SendStreamingMessage', get: 'GetTask', cancel: 'CancelTask' },
};

/** The ids of a conversation, which come from the server. */
export interface ConversationIds {
  /** The conversation, or `null` before the first answer. */
  readonly contextId: string | null;
  /** The task that waits for this message, or `null` to begin a new one. */
  readonly taskId: string | null;
}

/** Builds a JSON-RPC request. */
export function rpcRequest({ version, tenant }: Endpoint, method: Method, params: object): object {
  const all = tenant === null ? params : { ...params, tenant };
  return { jsonrpc: '2.0', id: randomUUID(), method: METHODS[version][method], params: all };
}

/**
 * Builds the parameters that send a user's message. A server that does not stream answers when the task is done.
 *
 * @throws CriteriaError NOT_SUPPORTED for a part that the protocol has not, such as a call.
 */
export function messageParams(
  { version }: Endpoint,
  messageId: string,
  content: Content,
  { contextId, taskId }: ConversationIds,
): object {
  const sent = (content.parts ?? []).map(version === '0.3' ? oldPart : newPart);
  const empty = version === '0.3' ? { kind: 'text', text: '' } : { text: '' };
  const message = {
    ...(version === '0.3' ? { kind: 'message', role: 'user' } : { role: 'ROLE_USER' }),
    messageId,
    parts: sent.length === 0 ? [empty] : sent,
    ...(contextId === null ? {} : { contextId }),
    ...(taskId === null ? {} : { taskId }),
  };
  return { message, configuration: version === '0.3' ? { blocking: true } : { returnImmediately: false } };
}

function oldPart(part: Part): object {
  const { inlineData, fileData } = part;
  if (inlineData) {
    const { data, mimeType, displayName } = inlineData;
    return { kind: 'file', file: { bytes: data ?? '', ...named({ mimeType, name: displayName }) } };
  }
  if (fileData) {
    const { fileUri, mimeType, displayName } = fileData;
    return { kind: 'file', file: { uri: fileUri ?? '', ...named({ mimeType, name: displayName }) } };
  }
  return { kind: 'text', text: textOf(part) };
}

function newPart(part: Part): object {
  const { inlineData, fileData } = part;
  if (inlineData) {
    const { data, mimeType, displayName } = inlineData;
    return { raw: data ?? '', ...named({ mediaType: mimeType, filename: displayName }) };
  }
  if (fileData) {
    const { fileUri, mimeType, displayName } = fileData;
    return { url: fileUri ?? '', ...named({ mediaType: mimeType, filename: displayName }) };
  }
  return { text: textOf(part) };
}

function textOf({ text }: Part): string {
  if (typeof text === 'string') return text;
  const message = 'the message has a part that is neither text nor a file, which cannot be sent by the A2A protocol';
  throw new CriteriaError({ code: 'NOT_SUPPORTED', message });
}

/** Leaves out what is not known. */
function named(values: Readonly<Record<string, string | null | undefined>>): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value));
}
