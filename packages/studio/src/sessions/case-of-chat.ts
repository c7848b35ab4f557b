import { caseOfSession, type RecordedCase } from '@agent-criteria/project/editing';
import { refusal } from '../http/refusal.ts';
import { type ChatSession, sessionAnswer } from './chat-session.ts';
import { isMessage, isStateChange } from './event.ts';

/** Converts a conversation to a case that expects it. @param evalId Default: the session id. */
export function caseOfChat(session: ChatSession, evalId: string | undefined): RecordedCase {
  const changed = session.events.some(isStateChange);
  const events = session.events.filter((event) => !isStateChange(event));
  const { evalCase, notes } = caseOfSession({
    session: sessionAnswer({ ...session, events }),
    source: `session ${session.id}`,
    app: session.appName,
    evalId,
    // The initial state of an imported session is unknown.
    initialState: session.origin === 'chat' ? session.initialState : undefined,
  });
  const note = 'The state was changed by hand in this session, and a case can set it only at the beginning.';
  return { evalCase, notes: changed ? [note, ...notes] : notes };
}

/**
 * Like `caseOfChat`, but without messages whose answer failed or was stopped.
 * @throws A 409 refusal if nothing is left.
 */
export function draftOfChat(session: ChatSession, evalId: string | undefined): RecordedCase {
  const asked = session.events.filter(isMessage);
  const invocations = [...new Set(asked.map(({ invocationId }) => invocationId))];
  const broken = new Set(session.events.flatMap(({ errorCode, invocationId }) => (errorCode ? [invocationId] : [])));
  if (broken.size === 0) return caseOfChat(session, evalId);
  const events = session.events.filter(({ invocationId }) => !broken.has(invocationId));
  if (!events.some(isMessage)) {
    throw refusal(
      409,
      'The agent answered no message of this session to the end, so there is nothing to expect of it.',
    );
  }
  const { evalCase, notes } = caseOfChat({ ...session, events }, evalId);
  const which = invocations.flatMap((id, place) => (broken.has(id) ? [place + 1] : []));
  const named = which.length === 1 ? `message ${which[0]}` : `the messages ${which.join(', ')}`;
  return { evalCase, notes: [`Left out, because the agent failed or was stopped there: ${named}.`, ...notes] };
}
