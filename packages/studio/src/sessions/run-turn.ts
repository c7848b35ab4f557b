import { onAbort, randomUUID, untilAborted, wideController } from '@agent-criteria/calls';
import { type Agent, type AgentTurn, type Content, type Json, type State, toErrorInfo } from '@agent-criteria/core';
import { isObject } from '@agent-criteria/formats';
import { refusal } from '../http/refusal.ts';
import { adkSpans } from '../traces/adk-span.ts';
import { applyState, checkState, isMetadata, withoutMetadata } from './change-state.ts';
import type { ChatSession } from './chat-session.ts';
import { type AdkEvent, isMessage, STOPPED, withPiece } from './event.ts';
import { camelEvent, jsonOf, userEvent, withIdentity } from './event-identity.ts';
import { eventsOfInvocation } from './events-of-invocation.ts';
import { openLive, startsOver } from './open-live.ts';

export interface ChatMessage {
  readonly content: Content;
  /** State changes to apply before the message. */
  readonly stateDelta: State;
  /** Whether partial events are wanted. */
  readonly streaming: boolean;
  readonly signal: AbortSignal;
}

/** Milliseconds that a stopped agent is given to report its last events. */
const GRACE = 1000;

/**
 * Sends a message and streams the agent's events. If the turn fails or is stopped, the last event reports that in
 * `errorCode`, as in ADK.
 *
 * @param on Also receives partial events if they are wanted. The session stores them only if the answer was never
 * completed.
 * @throws A 409 refusal if the session cannot take a message now.
 */
export async function runTurn(
  session: ChatSession,
  agent: Agent,
  message: ChatMessage,
  on: (event: AdkEvent) => void,
): Promise<void> {
  checkReady(session, agent, message.stateDelta);
  const stop = wideController();
  const forget = onAbort(message.signal, () => stop.abort(stoppedByUser()));
  let end: () => void = () => undefined;
  const ended = new Promise<void>((settle) => {
    end = settle;
  });
  session.turn = { stop: () => stop.abort(stoppedByUser()), ended };
  try {
    if (message.signal.aborted) stop.abort(stoppedByUser());
    await answer(session, agent, message, on, stop.signal);
  } finally {
    forget();
    session.lastUpdateTime = Date.now() / 1000;
    session.turn = null;
    end();
  }
}

async function answer(
  session: ChatSession,
  agent: Agent,
  { content, stateDelta, streaming }: ChatMessage,
  on: (event: AdkEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  const own = { invocationId: `e-${randomUUID()}`, startedAt: Date.now() };
  const before = session.events.length;
  const forgets = startsOver(session, agent);
  let stateBefore = session.state;
  let pieces: readonly AdkEvent[] = [];
  const take = (given: AdkEvent): void => {
    const event = withIdentity(given, own.invocationId);
    if (session.events.length === before) {
      const said = asked(content, event, own.startedAt, stateDelta);
      session.events.push(said);
      session.statesBefore.set(String(said.id), stateBefore);
      if (forgets) session.startedOver.push(String(said.id));
    }
    pieces = withPiece(pieces, event);
    if (event.partial !== true) session.events.push(event);
    if (event.partial !== true || streaming) on(event);
  };
  /** Stores the partial answer of an interrupted turn. */
  const keepPieces = (): void => {
    const { partial, ...last } = pieces.at(-1) ?? {};
    if (partial === true) take({ ...last, interrupted: true });
  };
  const fail = (error: unknown): void => {
    keepPieces();
    const { code, message } = toErrorInfo(error, 'AGENT_FAILED');
    take(
      signal.aborted
        ? { author: agent.name, interrupted: true, errorCode: STOPPED, errorMessage: 'Stopped by the user.' }
        : { author: agent.name, errorCode: code, errorMessage: message },
    );
  };
  try {
    await applyState(session, stateDelta);
    stateBefore = structuredClone(session.state);
    const turn = await send(session, agent, { content, streaming, signal }, (event) => {
      if (isObject(event)) take(camelEvent(event));
    });
    const reported = session.events.slice(before);
    if (reported.length === 0) {
      for (const { author, content: said } of eventsOfInvocation(turn.invocation, agent.name)) {
        take({ author, content: jsonOf(said) });
      }
    }
    const { error } = turn;
    if (error !== undefined && !reported.some(({ errorCode }) => Boolean(errorCode))) fail(error);
    const events = session.events.slice(before);
    session.spans.push(
      ...adkSpans(session.id, turn.trace ?? [], { events, agentName: agent.name, startedAt: own.startedAt }),
    );
  } catch (error) {
    fail(error);
  }
}

/** Formats the user's message as the session stores it. @param next The event after it. */
function asked(content: Content, next: AdkEvent, at: number, stateDelta: State): AdkEvent {
  const event = userEvent(content, next, at);
  const own = withoutMetadata(stateDelta);
  return Object.keys(own).length === 0 ? event : { ...event, actions: { stateDelta: own, artifactDelta: {} } };
}

/** @throws A 409 refusal if the session cannot take a message or this state now. */
export function checkReady(session: ChatSession, agent: Agent, stateDelta: State): void {
  checkState(session, stateDelta);
  if (session.turn !== null) {
    throw refusal(409, 'The agent is still answering in this session. Wait for it, stop it, or use another session.');
  }
  const reason = whyClosed(session, agent);
  if (reason !== null) throw refusal(409, reason);
}

/** Returns the reason why a session takes no more messages, or `null` if it still does. */
export function whyClosed({ origin, live, events }: ChatSession, agent: Agent | null): string | null {
  if (origin === 'evaluated') {
    return 'This session is a record of an evaluation: it cannot be continued. It can be read and saved as an eval case.';
  }
  if (origin === 'chat' || live !== null || agent === null || agent.supportsHistory === true) return null;
  if (!events.some(isMessage)) return null;
  return 'This session was imported, and its agent cannot go on from what it did not do itself, so it cannot be continued. It can be read and saved as an eval case.';
}

function stoppedByUser(): Error {
  return new Error('the user stopped the agent');
}

async function send(
  session: ChatSession,
  agent: Agent,
  { content, streaming, signal }: Omit<ChatMessage, 'stateDelta'>,
  on: (event: Json) => void,
): Promise<AgentTurn> {
  const metadata = Object.entries(session.state).filter(([name]) => isMetadata(name));
  const live = await untilAborted(() => openLive(session, agent), signal);
  let isOver = false;
  try {
    const onEvent = (event: Json): void => {
      // An agent that ignores the stop may still be running.
      if (!isOver) on(event);
    };
    const sending = live.send(content, { onEvent, signal, streaming });
    return await stoppable(sending, signal);
  } finally {
    isOver = true;
    const now = await live.state().catch(() => null);
    if (now !== null) session.state = { ...structuredClone(now), ...Object.fromEntries(metadata) };
  }
}

/** Settles with the work or, shortly after an abort, rejects with the signal's reason. */
function stoppable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((settle, fail) => {
    let timer: NodeJS.Timeout | undefined;
    const giveUp = () => {
      timer = setTimeout(() => fail(signal.reason), GRACE);
    };
    const forget = onAbort(signal, giveUp);
    if (signal.aborted) giveUp();
    work.then(settle, fail).finally(() => {
      forget();
      clearTimeout(timer);
    });
  });
}
