import { isObject } from '@agent-criteria/formats';

/** A message that could not be sent yet. */
export interface QueuedMessage {
  /** With this, the studio recognises a message that it has got already. */
  readonly key: string;
  readonly text: string;
}

/** Reads the messages that were queued for a session before this tab was reloaded. */
export function queuedMessages(app: string, session: string): readonly QueuedMessage[] {
  try {
    const found: unknown = JSON.parse(sessionStorage.getItem(nameOf(app, session)) ?? '[]');
    return Array.isArray(found) ? found.filter(isQueued) : [];
  } catch {
    return [];
  }
}

/** Keeps the messages in this tab only, until they are sent. */
export function keepQueuedMessages(app: string, session: string, messages: readonly QueuedMessage[]): void {
  try {
    if (messages.length === 0) sessionStorage.removeItem(nameOf(app, session));
    else sessionStorage.setItem(nameOf(app, session), JSON.stringify(messages));
  } catch {
    // A browser may forbid it, and then the messages last as long as the page.
  }
}

function isQueued(value: unknown): value is QueuedMessage {
  return isObject(value) && typeof value.key === 'string' && typeof value.text === 'string';
}

function nameOf(app: string, session: string): string {
  return `agent-criteria.queued.${JSON.stringify([app, session])}`;
}
