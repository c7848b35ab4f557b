import type { MessageToSend } from '../../api.ts';

/** What is to be sent in a session as soon as that is open, by its id. */
const waiting = new Map<string, readonly MessageToSend[]>();

export function putIntoOutbox(session: string, messages: readonly MessageToSend[]): void {
  waiting.set(session, messages);
}

/** Once: a session that is opened again sends nothing. */
export function takeFromOutbox(session: string): readonly MessageToSend[] {
  const messages = waiting.get(session) ?? [];
  waiting.delete(session);
  return messages;
}
