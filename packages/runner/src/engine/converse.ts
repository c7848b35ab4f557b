import { inTime, onAbort } from '@agent-criteria/calls';
import {
  type Agent,
  type AgentSession,
  type Content,
  CriteriaError,
  type Ending,
  type Inference,
  type Invocation,
  type Json,
  type SessionStart,
  type Span,
  type State,
  type Tools,
  toErrorInfo,
  type Unit,
  type UnitKey,
} from '@agent-criteria/core';
import type { CutOff, Plan } from '@agent-criteria/core/host';
import { historyLength } from '@agent-criteria/formats/parse';
import { copyJson } from '../copy-json.ts';
import { timeNow } from '../own-globals.ts';
import { keyOf } from '../unit-key.ts';
import { type Guard, openGuard } from './guard.ts';
import { type RecordedTurn, recordState, recordTurn } from './record.ts';
import { openUser, type User } from './user.ts';

/** ADK's user of sessions that name none. */
const DEFAULT_USER = 'test_user_id';
/** Milliseconds that closing may take after an abort: somebody is waiting for the run to end. */
const CLOSING_AFTER_ABORT = 1000;
/** Milliseconds that an agent has to say what it did in a turn that ran out of time. */
const LATE_TURN = 1000;

export interface ConverseOptions {
  /** Milliseconds: for a turn, and for each step around the turns. */
  readonly turnTimeout: number;
  /** Milliseconds for the whole. Default: no limit. */
  readonly caseTimeout?: number;
  readonly signal: AbortSignal;
  /** What a simulated user may use, when there is one; `turn` tells which message it makes now, from 0. */
  tools(turn: () => number): Tools;
  /** A turn has ended, from 0. */
  onTurn?(turn: number): void;
  /** What the agent's session reports while it works on a turn. */
  onAgentEvent?(turn: number, event: Json): void;
}

/**
 * Runs an agent through one unit, in a fresh session with the case's state. Never rejects: a failure or an abort is how
 * the inference ended, and the turns before it are kept.
 */
export async function converse(plan: Plan, agent: Agent, unit: Unit, options: ConverseOptions): Promise<Inference> {
  const { signal } = options;
  const session = new AbortController();
  const forget = onAbort(signal, () => session.abort(signal.reason));
  const guard = openGuard(signal);
  const key = keyOf(unit);
  const conversation: Conversation = {
    plan,
    agent,
    unit,
    key,
    options,
    session,
    guard,
    startedAt: performance.now(),
    sessionId: sessionIdFor(unit),
    initial: null,
    final: null,
    invocations: [],
    trace: [],
    cutOff: [],
    notes: [],
  };
  let ending: Ending;
  try {
    signal.throwIfAborted();
    ending = await inSession(conversation);
  } catch (error) {
    ending = endingOf(error, signal);
  } finally {
    guard.end();
    forget();
  }
  const { sessionId, invocations, initial, final, trace, cutOff, notes, history } = conversation;
  const reason = [...(ending.reason === undefined ? [] : [ending.reason]), ...notes].join('; ');
  return {
    sessionId,
    invocations,
    state: { initial, final },
    ...(trace.length > 0 ? { trace } : {}),
    ...(history === undefined ? {} : { history }),
    ...(cutOff.length > 0 ? { cutOff } : {}),
    ending: reason === '' ? ending : { ...ending, reason },
  };
}

/** What is known of a conversation, and what has come of it so far. */
interface Conversation {
  readonly plan: Plan;
  readonly agent: Agent;
  readonly unit: Unit;
  readonly key: UnitKey;
  readonly options: ConverseOptions;
  /** Aborts with the run, and when anything breaks, so that an agent that ran out of time can stop working. */
  readonly session: AbortController;
  readonly guard: Guard;
  /** Milliseconds of a clock that is never set back. */
  readonly startedAt: number;
  sessionId: string;
  initial: State | null;
  final: State | null;
  history?: 'given' | 'replayed';
  readonly invocations: Invocation[];
  readonly trace: Span[];
  readonly cutOff: CutOff[];
  /** What went wrong beside the conversation, which is worth keeping all the same. */
  readonly notes: string[];
}

/**
 * A pinned id belongs to the first repeat, with the variant's name where there are several: no two conversations may share a
 * session. Names of variants have no `~`, so that different ids stay different.
 */
function sessionIdFor({ case: { sessionInput }, repeat, variant }: Unit): string {
  const pinned = sessionInput?.sessionId;
  if (!pinned || repeat > 0) return `agent-criteria-${globalThis.crypto.randomUUID()}`;
  return variant === undefined ? pinned : `${pinned}~${variant}`;
}

async function inSession(conversation: Conversation): Promise<Ending> {
  const { unit } = conversation;
  const session = await open(conversation);
  conversation.sessionId = session.id;
  const state = async () => recordState(await session.state());
  try {
    conversation.initial = await step(conversation, 'agent', 'the state before the first turn', state);
    const turns = unit.case.conversation;
    const ending = await (turns
      ? sayAll(conversation, session, turns.slice(conversation.invocations.length))
      : withUser(conversation, session));
    if (ending.by !== 'error') conversation.final = await wrapUp(conversation, 'reading the final state', state);
    return ending;
  } finally {
    await wrapUp(conversation, 'closing the session', () => session.close());
  }
}

async function open(conversation: Conversation): Promise<AgentSession> {
  const { plan, unit, key, sessionId, session } = conversation;
  const earlier = unit.case.conversation?.slice(0, historyLength(unit.case)) ?? [];
  const stubs = plan.stubs.get(key.caseId);
  const { sessionInput } = unit.case;
  const start: SessionStart = {
    key,
    // As in ADK, an empty id is none.
    userId: sessionInput?.userId || DEFAULT_USER,
    sessionId,
    state: copyJson(sessionInput?.state ?? {}),
    stubs: stubs && copyJson(stubs),
  };
  let opening: Promise<AgentSession> | undefined;
  try {
    return await step(conversation, 'agent', 'opening the session', () => {
      opening = openAfter(conversation, start, earlier, session.signal);
      return opening.then(checkSession);
    });
  } catch (error) {
    // A session that opens too late is closed at once.
    opening?.then((late) => late.close()).catch(() => undefined);
    throw error;
  }
}

/** With the history, where the agent takes one: its turns are then those of the case. Else they are sent like any other. */
async function openAfter(
  conversation: Conversation,
  start: SessionStart,
  earlier: readonly Invocation[],
  signal: AbortSignal,
): Promise<AgentSession> {
  const { agent, invocations } = conversation;
  if (earlier.length > 0 && agent.supportsHistory === true) {
    try {
      const history = earlier.map((invocation) => ({ invocation: copyJson(invocation) }));
      const session = await agent.open({ ...start, history }, signal);
      // It opened too late: the caller closes it.
      if (signal.aborted) return session;
      conversation.history = 'given';
      invocations.push(...earlier.map((invocation) => copyJson(invocation)));
      return session;
    } catch (error) {
      if (!CriteriaError.is(error) || error.code !== 'NOT_SUPPORTED') throw error;
    }
  }
  if (earlier.length > 0) conversation.history = 'replayed';
  return agent.open(start, signal);
}

function checkSession(session: AgentSession): AgentSession {
  const methods = ['send', 'state', 'close'] as const;
  if (typeof session?.id === 'string' && methods.every((method) => typeof session[method] === 'function'))
    return session;
  const message =
    'the agent opened no session: open must return { id, send, state, close }, where id is a text and the others are methods';
  throw new CriteriaError({ code: 'AGENT_FAILED', message });
}

/** A fixed conversation: its messages, one after the other, whatever the answers. */
async function sayAll(
  conversation: Conversation,
  session: AgentSession,
  turns: readonly Invocation[],
): Promise<Ending> {
  const { signal } = conversation.options;
  for (const { userContent } of turns) {
    signal.throwIfAborted();
    // A copy: the agent may do with it what it likes.
    const failed = await answer(conversation, session, copyJson(userContent));
    if (failed) return failed;
  }
  signal.throwIfAborted();
  return { by: 'end-of-case' };
}

async function withUser(conversation: Conversation, session: AgentSession): Promise<Ending> {
  const { plan, unit, key, options } = conversation;
  const user = await step(conversation, 'user', 'opening the simulated user', () =>
    openUser(
      plan,
      unit,
      key,
      options.tools(() => conversation.invocations.length),
    ),
  );
  try {
    return await talk(conversation, session, user);
  } finally {
    await wrapUp(conversation, 'closing the simulated user', () => user.close());
  }
}

async function talk(conversation: Conversation, session: AgentSession, user: User): Promise<Ending> {
  const { invocations, options } = conversation;
  for (;;) {
    options.signal.throwIfAborted();
    const where = `turn ${invocations.length + 1}, the simulated user`;
    const next = await step(conversation, 'user', where, () => user.next(invocations));
    if (next.message !== undefined) {
      const failed = await answer(conversation, session, next.message);
      if (failed) return failed;
    }
    if (next.ending !== undefined) return { ...next.ending };
  }
}

async function answer(conversation: Conversation, session: AgentSession, message: Content): Promise<Ending | null> {
  const turn = `turn ${conversation.invocations.length + 1}`;
  const startedAt = timeNow();
  const from = performance.now();
  let sending: Promise<RecordedTurn> | undefined;
  const keep = ({ invocation, trace, cutOff }: RecordedTurn): void => {
    if (cutOff !== null) {
      conversation.cutOff.push({ turn: conversation.invocations.length, reason: cutOff });
      conversation.notes.push(`${turn}: the answer was cut off (${cutOff})`);
    }
    conversation.invocations.push({
      ...invocation,
      creationTimestamp: invocation.creationTimestamp ?? startedAt / 1000,
      duration: invocation.duration ?? Math.round(performance.now() - from) / 1000,
    });
    for (const span of trace) conversation.trace.push(span);
    conversation.options.onTurn?.(conversation.invocations.length - 1);
  };
  const { onAgentEvent } = conversation.options;
  const index = conversation.invocations.length;
  const report = onAgentEvent && ((event: Json) => onAgentEvent(index, event));
  let sent: RecordedTurn;
  try {
    sent = await step(conversation, 'agent', turn, () => {
      sending = (async () => recordTurn(await session.send(message, { onEvent: report })))();
      return sending;
    });
  } catch (error) {
    // Out of time: an agent that stops when it is told to says what it has done until then.
    const late = conversation.options.signal.aborted ? null : await within(LATE_TURN, sending);
    if (late) keep(late);
    throw error;
  }
  keep(sent);
  const { error } = sent;
  if (!error) return null;
  // Errors of ours have no stack, and say who is meant.
  const blamed = error.stack === undefined ? '' : 'the agent failed: ';
  return { by: 'error', of: 'agent', error: { ...error, message: `${turn}: ${blamed}${error.message}` } };
}

/** What comes of work in so many milliseconds; `null`: nothing, or it failed. */
function within<T>(milliseconds: number, work: Promise<T> | undefined): Promise<T | null> {
  return inTime(() => work ?? null, { milliseconds }).catch(() => null);
}

/** What broke a conversation: where, and whose fault it was. */
class Broken extends Error {
  readonly of: 'agent' | 'user';

  constructor(of: 'agent' | 'user', where: string, cause: unknown) {
    super(where, { cause });
    this.of = of;
  }
}

function step<T>(
  conversation: Conversation,
  of: 'agent' | 'user',
  where: string,
  work: () => T | Promise<T>,
): Promise<T> {
  const { turnTimeout, caseTimeout = Number.POSITIVE_INFINITY } = conversation.options;
  const left = conversation.startedAt + caseTimeout - performance.now();
  const failure = (error: unknown): Broken => {
    conversation.session.abort(error);
    return new Broken(of, where, error);
  };
  const limit =
    left < turnTimeout
      ? { milliseconds: Math.max(left, 0), of: caseTimeout, who: 'the case', failure }
      : { milliseconds: turnTimeout, who: of === 'agent' ? 'the agent' : 'it', failure };
  return conversation.guard.run(work, limit);
}

/** What is done after a conversation, and cannot break it any more. */
async function wrapUp<T>(conversation: Conversation, what: string, work: () => T | Promise<T>): Promise<T | null> {
  const { turnTimeout: milliseconds } = conversation.options;
  try {
    return await conversation.guard.run(work, { milliseconds, who: 'it', grace: CLOSING_AFTER_ABORT });
  } catch (error) {
    conversation.notes.push(`${what} failed: ${toErrorInfo(error).message}`);
    return null;
  }
}

const THREW = { agent: 'the agent threw: ', user: 'it threw: ' } as const;

/** Who threw what is not ours; messages of ours say it themselves. */
function thrower({ of, cause }: Broken): string {
  return CriteriaError.is(cause) ? '' : THREW[of];
}

function endingOf(error: unknown, signal: AbortSignal): Ending {
  if (signal.aborted) return { by: 'abort', reason: toErrorInfo(signal.reason).message };
  if (!(error instanceof Broken)) return { by: 'error', of: 'harness', error: toErrorInfo(error) };
  const info = toErrorInfo(error.cause, error.of === 'agent' ? 'AGENT_FAILED' : 'CALL_FAILED');
  return {
    by: 'error',
    of: error.of,
    error: { ...info, message: `${error.message}: ${thrower(error)}${info.message}` },
  };
}
