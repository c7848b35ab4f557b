import type { MessageToSend, SessionDetail } from '../../api.ts';
import { go } from '../router.ts';
import type { MessageFile } from './message-file.ts';

/** A session that this page has just opened, and what to send to its agent first. */
export interface JustOpened {
  readonly detail: SessionDetail;
  readonly messages: readonly MessageToSend[];
  /** Files that were attached before it was opened, and not sent yet. */
  readonly files: readonly MessageFile[];
}

const waiting = new Map<string, JustOpened>();

/** Goes to a session that was just opened, so that it need not be loaded again, and sends it `messages` there. */
export function goToOpened(
  app: string,
  detail: SessionDetail,
  { messages = [], files = [] }: Partial<Omit<JustOpened, 'detail'>> = {},
): void {
  const earlier = waiting.get(detail.id)?.messages ?? [];
  waiting.set(detail.id, { detail, messages: [...earlier, ...messages], files });
  go({ view: 'chat', app, session: detail.id });
}

/** Takes the session out, so that returning to it later loads it, and sends nothing again. */
export function takeOpened(session: string): JustOpened | null {
  const opened = waiting.get(session) ?? null;
  waiting.delete(session);
  return opened;
}
