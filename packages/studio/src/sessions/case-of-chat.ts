import { caseOfSession, type RecordedCase } from '@agent-criteria/project';
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
