import { type Agent, type AgentSession, CriteriaError, type Invocation, type State } from '@agent-criteria/core';
import type { EarlierTurn } from '@agent-criteria/core/host';
import { caseOfSession } from '@agent-criteria/project/editing';
import { refusal } from '../http/refusal.ts';
import { withoutMetadata } from './change-state.ts';
import type { ChatSession } from './chat-session.ts';
import { type AdkEvent, isMessage, isStateChange } from './event.ts';

/** Opens the agent's session, with its history if there is one. */
export function openLive(session: ChatSession, agent: Agent): Promise<AgentSession> {
  if (session.live !== null && session.liveAgent === agent) return Promise.resolve(session.live);
  session.opening ??= reopened(session, agent).then(
    (live) => {
      session.live = live;
      session.liveAgent = agent;
      session.opening = null;
      return live;
    },
    (error: unknown) => {
      session.opening = null;
      throw error;
    },
  );
  return session.opening;
}

/** Opens a session of the agent in place of one with older code, if there is one. */
async function reopened(session: ChatSession, agent: Agent): Promise<AgentSession> {
  const { live } = session;
  session.live = null;
  session.liveAgent = null;
  // Its process may have ended.
  await live?.close().catch(() => undefined);
  return open(session, agent);
}

async function open(session: ChatSession, agent: Agent): Promise<AgentSession> {
  const { id, userId, stop, artifacts } = session;
  const earlier = historyOf(session);
  const forgets = startsOver(session, agent);
  const state = forgets ? { ...session.initialState, ...changedByHand(session) } : withoutMetadata(session.state);
  const history = forgets ? [] : earlier;
  if (earlier.length === 0) session.initialState = structuredClone(state);
  const key = { setId: 'studio', caseId: id, repeat: 0 };
  const start = { key, userId, sessionId: id, state: structuredClone(state) };
  return agent.open(history.length === 0 ? start : { ...start, history, artifacts }, stop.signal);
}

/** Returns what the user has changed in the state since the last message. */
function changedByHand({ events }: ChatSession): State {
  const since = events.slice(events.findLastIndex(isMessage) + 1).filter(isStateChange);
  return Object.assign({}, ...since.map(({ actions }) => Object(actions).stateDelta as State | undefined)) as State;
}

/**
 * Whether the agent cannot continue the conversation, which its older code or an earlier studio began, and starts over
 * instead.
 */
export function startsOver({ origin, live, liveAgent, events }: ChatSession, agent: Agent): boolean {
  if (origin !== 'chat' || agent.supportsHistory === true) return false;
  return (live === null || liveAgent !== agent) && events.some(isMessage);
}

/** Converts a conversation to a history for the agent. @throws A 409 refusal if an event cannot be read. */
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
    // Turns that only change the state are already part of the agent's initial state.
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
