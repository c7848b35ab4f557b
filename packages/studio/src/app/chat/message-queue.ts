import { isObject } from '@agent-criteria/formats';
import { isMessageFile, type MessageFile } from './message-file.ts';

/** A message that could not be sent yet. */
export interface QueuedMessage {
  /** With this, the studio recognises a message that it has got already. */
  readonly key: string;
  readonly text: string;
  readonly files: readonly MessageFile[];
}

/** The most characters that a tab keeps for one session, of about five million for all. */
const MOST = 3_000_000;

/** Reads the messages that were queued for a session before this tab was reloaded. */
export function queuedMessages(app: string, session: string): readonly QueuedMessage[] {
  try {
    const found: unknown = JSON.parse(sessionStorage.getItem(nameOf(app, session)) ?? '[]');
    return Array.isArray(found) ? found.filter(isQueued) : [];
  } catch {
    return [];
  }
}

/**
 * Keeps the messages in this tab only, until they are sent.
 * @returns Whether they outlive the page. If their files are too large, none of them does.
 */
export function keepQueuedMessages(app: string, session: string, messages: readonly QueuedMessage[]): boolean {
  try {
    sessionStorage.removeItem(nameOf(app, session));
    if (messages.length === 0) return true;
    const text = JSON.stringify(messages);
    if (text.length > MOST) return false;
    sessionStorage.setItem(nameOf(app, session), text);
    return true;
  } catch {
    // A browser may forbid it, and then the messages last as long as the page.
    return false;
  }
}

function isQueued(value: unknown): value is QueuedMessage {
  if (!isObject(value) || typeof value.key !== 'string' || typeof value.text !== 'string') return false;
  return Array.isArray(value.files) && value.files.every(isMessageFile);
}

function nameOf(app: string, session: string): string {
  return `agent-criteria.queued.${JSON.stringify([app, session])}`;
}
