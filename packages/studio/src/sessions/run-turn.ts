import { onAbort, randomUUID, untilAborted, wideController } from '@agent-criteria/calls';
import {
  type Agent,
  type AgentTurn,
  type Content,
  type ErrorInfo,
  type Json,
  type Span,
  type State,
  toErrorInfo,
} from '@agent-criteria/core';
import { fileNames, isObject } from '@agent-criteria/formats';
import type { AgentLease } from '@agent-criteria/project/agent-process';
import { shownStack } from '@agent-criteria/runner';
import { refusal } from '../http/refusal.ts';
import { adkSpans } from '../traces/adk-span.ts';
import { applyState, checkState, isMetadata, withoutMetadata } from './change-state.ts';
import type { ChatSession } from './chat-session.ts';
import { type AdkEvent, isMessage, STACK, STOPPED, withPiece } from './event.ts';
import { camelEvent, jsonOf, userEvent, withIdentity } from './event-identity.ts';
import { eventsOfInvocation } from './events-of-invocation.ts';
import { takesOnlyText } from './message-files.ts';
import { openLive, startsOver } from './open-live.ts';

export interface ChatMessage {
  readonly content: Content;
  /** State changes to apply before the message. */
  readonly stateDelta: State;
  /** Tells a message that is sent again from another one with the same words. Default: it is another one. */
  readonly key?: string | undefined;
  /** Whether partial events are wanted. */
  readonly streaming: boolean;
  /** The folder of the app. Files in the stack of an error are relative to it, if the working folder does not have them. */
  readonly folder: string;
  /** Stops the turn. Default: the turn goes on whatever becomes of its client. */
  readonly signal?: AbortSignal | undefined;
}

/** Milliseconds that a stopped agent is given to report its last events. */
const GRACE = 1000;
/** The number of message keys that a session keeps. */
const MOST_KEYS = 100;

/**
 * Sends a message and streams the agent's events. If the turn fails or is stopped, the last event reports that in
 * `errorCode`, as in ADK.
 *
 * @param on Also receives partial events if they are wanted. The session stores them only if the answer was never
 * completed.
 * @param changed Called when the turn has begun and when it has ended.
 * @throws A 409 refusal if the session cannot take a message now.
 */
export async function runTurn(
  session: ChatSession,
  agent: Agent,
  message: ChatMessage,
  on: (event: AdkEvent) => void,
  changed: () => void,
): Promise<void> {
  checkReady(session, agent, message.stateDelta);
  const turn = beginTurn(session, message, changed);
  try {
    await answer(session, agent, message, turn, on);
  } finally {
    turn.end(null);
  }
}

/**
 * Starts a turn that belongs to the studio: it goes on until it has ended or is stopped, whatever becomes of the client.
 *
 * @param lease Loads the agent. The session is busy in the meantime.
 * @param changed Called when the turn has begun and when it has ended.
 * @returns A promise that settles once the agent has the message.
 * @throws A refusal if the session cannot take a message now, or what `lease` throws. The session is as before then.
 */
export async function startTurn(
  session: ChatSession,
  lease: () => Promise<Pick<AgentLease, 'agent' | 'release'>>,
  message: ChatMessage,
  changed: () => void,
): Promise<void> {
  const { key, content } = message;
  if (key !== undefined && session.messageKeys.includes(key)) return;
  checkFree(session, message.stateDelta);
  const keysBefore = session.messageKeys;
  // Stored with the turn that begins.
  if (key !== undefined) session.messageKeys = [...keysBefore, key].slice(-MOST_KEYS);
  const turn = beginTurn(session, message, changed);
  let leased: Awaited<ReturnType<typeof lease>> | null = null;
  try {
    leased = await lease();
    checkOpen(session, leased.agent);
    checkFiles(content, leased.agent);
  } catch (error) {
    leased?.release();
    session.messageKeys = keysBefore;
    turn.end(error instanceof Error ? error.message : String(error));
    throw error;
  }
  const { agent, release } = leased;
  const answered = answer(session, agent, message, turn, () => undefined);
  void answered
    .then(() => null, String)
    .then((problem) => {
      turn.end(problem);
      release();
    });
}

interface BegunTurn {
  readonly signal: AbortSignal;
  readonly startedAt: number;
  /** Adds an event to those of the turn. */
  add(event: AdkEvent): void;
  /** Returns the partial event at the end, if there is one. */
  open(): AdkEvent | null;
  end(problem: string | null): void;
}

/** Makes the session busy until the turn is ended. */
function beginTurn(session: ChatSession, { content, signal }: ChatMessage, changed: () => void): BegunTurn {
  const stop = wideController();
  const forget = signal === undefined ? () => undefined : onAbort(signal, () => stop.abort(stopped()));
  if (signal?.aborted === true) stop.abort(stopped());
  const watchers = new Set<(event: AdkEvent) => void>();
  const startedAt = Date.now();
  let events: readonly AdkEvent[] = [];
  let settle: (problem: string | null) => void = () => undefined;
  const ended = new Promise<string | null>((done) => {
    settle = done;
  });
  session.turn = {
    message: content,
    startedAt,
    from: session.events.length,
    events: () => events,
    watch(watcher) {
      watchers.add(watcher);
      return () => void watchers.delete(watcher);
    },
    stop: (why) => stop.abort(stopped(why)),
    ended,
  };
  changed();
  return {
    signal: stop.signal,
    startedAt,
    add(event) {
      events = withPiece(events, event);
      for (const watcher of watchers) watcher(event);
    },
    open() {
      const last = events.at(-1);
      return last?.partial === true ? last : null;
    },
    end(problem) {
      forget();
      session.lastUpdateTime = Date.now() / 1000;
      session.turn = null;
      changed();
      settle(problem);
    },
  };
}

async function answer(
  session: ChatSession,
  agent: Agent,
  { content, stateDelta, streaming, folder }: ChatMessage,
  turn: BegunTurn,
  on: (event: AdkEvent) => void,
): Promise<void> {
  const { signal, startedAt } = turn;
  const folders = [process.cwd(), folder];
  const invocationId = `e-${randomUUID()}`;
  const before = session.events.length;
  const forgets = startsOver(session, agent);
  let stateBefore = session.state;
  let failure: ErrorInfo | undefined;
  const take = (given: AdkEvent): void => {
    const event = withIdentity(given, invocationId);
    if (session.events.length === before) {
      const said = asked(content, event, startedAt, stateDelta);
      session.events.push(said);
      session.statesBefore.set(String(said.id), stateBefore);
      if (forgets) session.startedOver.push(String(said.id));
    }
    if (event.partial !== true) session.events.push(event);
    turn.add(event);
    if (event.partial !== true || streaming) on(event);
  };
  /** Stores the partial answer of an interrupted turn. */
  const keepPieces = (): void => {
    const piece = turn.open();
    if (piece === null) return;
    const { partial: _, ...last } = piece;
    take({ ...last, interrupted: true });
  };
  const fail = (error: ErrorInfo): void => {
    keepPieces();
    if (signal.aborted) {
      const { message } = signal.reason as Error;
      take({ author: agent.name, interrupted: true, errorCode: STOPPED, errorMessage: message });
      return;
    }
    failure = shownError(error, folders);
    const { code, message, stack } = failure;
    const failed = { author: agent.name, errorCode: code, errorMessage: message };
    take(stack === undefined ? failed : { ...failed, customMetadata: { [STACK]: stack } });
  };
  const keepSpans = (trace: readonly Span[]): void => {
    const events = session.events.slice(before);
    const shown = trace.map((span) =>
      span.error === undefined ? span : { ...span, error: shownError(span.error, folders) },
    );
    session.spans.push(...adkSpans(session.id, shown, { events, agentName: agent.name, startedAt, error: failure }));
  };
  try {
    await applyState(session, stateDelta);
    stateBefore = structuredClone(session.state);
    const sent = await send(session, agent, { content, streaming, signal }, (event) => {
      if (isObject(event)) take(camelEvent(event));
    });
    const reported = session.events.slice(before);
    if (reported.length === 0) {
      // All at once: it is not known when each of them came about.
      const timestamp = Date.now();
      for (const { author, content: said } of eventsOfInvocation(sent.invocation, agent.name)) {
        take({ author, content: jsonOf(said), timestamp });
      }
    }
    const { error } = sent;
    if (error !== undefined && !reported.some(({ errorCode }) => Boolean(errorCode))) fail(error);
    keepSpans(sent.trace ?? []);
  } catch (error) {
    fail(toErrorInfo(error, 'AGENT_FAILED'));
    keepSpans([]);
  }
}

/** Writes the stack of an error as it can be shown. */
function shownError(error: ErrorInfo, folders: readonly string[]): ErrorInfo {
  return error.stack === undefined ? error : { ...error, stack: shownStack(error.stack, folders) };
}

/** Formats the user's message as the session stores it. @param next The event after it. */
function asked(content: Content, next: AdkEvent, at: number, stateDelta: State): AdkEvent {
  const event = userEvent(content, next, at);
  const own = withoutMetadata(stateDelta);
  return Object.keys(own).length === 0 ? event : { ...event, actions: { stateDelta: own, artifactDelta: {} } };
}

/** @throws A 409 refusal if the session cannot take a message or this state now. */
export function checkReady(session: ChatSession, agent: Agent, stateDelta: State): void {
  checkFree(session, stateDelta);
  checkOpen(session, agent);
}

/** Checks what needs no agent. @throws A 409 refusal. */
function checkFree(session: ChatSession, stateDelta: State): void {
  checkState(session, stateDelta);
  if (session.turn === null) return;
  throw refusal(409, 'The agent is still answering in this session. Wait for it, stop it, or use another session.');
}

/** @throws A 409 refusal. */
function checkOpen(session: ChatSession, agent: Agent): void {
  const reason = whyClosed(session, agent);
  if (reason !== null) throw refusal(409, reason);
}

/** @throws A 409 refusal if the agent would lose the files of a message. */
function checkFiles(content: Content, { name, supportsFiles }: Agent): void {
  if (supportsFiles !== true && fileNames(content).length > 0) throw refusal(409, takesOnlyText(name));
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

function stopped(why = 'Stopped by the user.'): Error {
  return new Error(why);
}

async function send(
  session: ChatSession,
  agent: Agent,
  { content, streaming, signal }: Pick<ChatMessage, 'content' | 'streaming'> & { readonly signal: AbortSignal },
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
