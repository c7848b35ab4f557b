import { caseOfSession, type RecordedCase } from '@agent-criteria/project';
import { refusal } from '../http/refusal.ts';
import { type ChatSession, sessionAnswer } from './chat-session.ts';

/** A conversation as a case that expects it again. @param evalId Default: the id of the session. */
export function caseOfChat(session: ChatSession, evalId: string | undefined): RecordedCase {
  return caseOfSession({
    session: sessionAnswer(session),
    source: `session ${session.id}`,
    app: session.appName,
    evalId,
    // Of an imported one, only what the conversation left is known.
    initialState: session.isImported ? undefined : session.initialState,
  });
}

/**
 * As `caseOfChat`, without the messages that the agent failed to answer: what broke is nothing to expect.
 * @throws A refusal, 409, where nothing is left.
 */
export function draftOfChat(session: ChatSession, evalId: string | undefined): RecordedCase {
  const invocations = [...new Set(session.events.map(({ invocationId }) => invocationId))];
  const broken = new Set(session.events.flatMap(({ errorCode, invocationId }) => (errorCode ? [invocationId] : [])));
  if (broken.size === 0) return caseOfChat(session, evalId);
  const events = session.events.filter(({ invocationId }) => !broken.has(invocationId));
  if (events.length === 0) {
    throw refusal(
      409,
      'The agent failed to answer every message of this session, so there is nothing to expect of it.',
    );
  }
  const { evalCase, notes } = caseOfChat({ ...session, events }, evalId);
  const which = invocations.flatMap((id, place) => (broken.has(id) ? [place + 1] : []));
  const named = which.length === 1 ? `message ${which[0]}` : `the messages ${which.join(', ')}`;
  return { evalCase, notes: [`Left out, because the agent failed there: ${named}.`, ...notes] };
}
