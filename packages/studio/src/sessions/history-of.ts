import { CriteriaError, type Invocation } from '@agent-criteria/core';
import type { EarlierTurn } from '@agent-criteria/core/host';
import { caseOfSession } from '@agent-criteria/project/editing';
import { refusal } from '../http/refusal.ts';
import type { AdkEvent, ChatSession } from './chat-session.ts';
import { isMessage } from './event-kind.ts';

/** A conversation as an agent can go on from it, turn by turn. @throws A refusal, 409, for events that cannot be read. */
export function historyOf({
  id,
  appName,
  events,
}: Pick<ChatSession, 'id' | 'appName' | 'events'>): readonly EarlierTurn[] {
  const turns = new Map<unknown, AdkEvent[]>();
  for (const event of events) {
    const { invocationId } = event;
    turns.set(invocationId, [...(turns.get(invocationId) ?? []), event]);
  }
  return [...turns.values()].flatMap((own) => {
    // A state that was changed by hand is in the state that the agent gets.
    if (!own.some(isMessage)) return [];
    return [{ invocation: invocationOf(own, { id, appName }), events: own }];
  });
}

function invocationOf(events: readonly AdkEvent[], { id, appName }: Pick<ChatSession, 'id' | 'appName'>): Invocation {
  const session = { id, events: events.filter(({ errorCode }) => !errorCode) };
  try {
    const { evalCase } = caseOfSession({ session, source: `session ${id}`, app: appName });
    const [turn] = evalCase.conversation ?? [];
    if (turn !== undefined) return turn;
  } catch (error) {
    if (!CriteriaError.is(error)) throw error;
    throw refusal(409, `The agent cannot go on from this session: ${error.message}`);
  }
  throw refusal(409, 'The agent cannot go on from this session: a message of it cannot be read.');
}
