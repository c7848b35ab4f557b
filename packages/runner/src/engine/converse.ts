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
import { openEnvironment } from './environment.ts';
import { type Guard, openGuard } from './guard.ts';
import { type RecordedTurn, recordState, recordTurn } from './record.ts';
import { openUser, type User } from './user.ts';

/** ADK's default user id. */
const DEFAULT_USER = 'test_user_id';
/** How many milliseconds closing may take after an abort. Short, because a person may be waiting for the run to end. */
const CLOSING_AFTER_ABORT = 1000;
/** How many milliseconds an agent has to return a turn that timed out. */
const LATE_TURN = 1000;

export interface ConverseOptions {
  /** Time limit in milliseconds for a turn, and for each step before and after the turns. */
  readonly turnTimeout: number;
  /** Time limit in milliseconds for the whole conversation. Default: none. */
  readonly caseTimeout?: number;
  readonly signal: AbortSignal;
  /**
   * Creates the tools for the simulated user, if there is one. `turn` returns the zero-based number of its current
   * message.
   */
  tools(turn: () => number): Tools;
  /** Creates the tools for a tool simulator, if there is one. */
  simulatorTools(simulator: string, turn: () => number): Tools;
  /** Called after each turn with its zero-based number. */
  onTurn?(turn: number): void;
  /** Called for each event that the agent's session reports during a turn. */
  onAgentEvent?(turn: number, event: Json): void;
}

/**
 * Runs an agent on one unit, in a new session with the case's state. Never rejects: a failure or an abort becomes the
 * ending of the inference, which keeps the turns so far.
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

/** The state of a conversation. */
interface Conversation {
  readonly plan: Plan;
  readonly agent: Agent;
  readonly unit: Unit;
  readonly key: UnitKey;
  readonly options: ConverseOptions;
  /** Aborts with the run and after any failure, so that an agent that timed out can stop. */
  readonly session: AbortController;
  readonly guard: Guard;
  /** Monotonic clock, in milliseconds. */
  readonly startedAt: number;
  sessionId: string;
  initial: State | null;
  final: State | null;
  history?: 'given' | 'replayed';
  readonly invocations: Invocation[];
  readonly trace: Span[];
  readonly cutOff: CutOff[];
  /** Failures that do not affect the conversation, mentioned in the reason of its ending. */
  readonly notes: string[];
}

/**
 * Returns a unit's session id. Only the first repeat uses the id that the case specifies, with the variant's name
 * appended if there are several, because two conversations must not share a session. Variant names contain no `~`, so
 * different ids stay different.
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
    // As in ADK, an empty id counts as missing.
    userId: sessionInput?.userId || DEFAULT_USER,
    sessionId,
    state: copyJson(sessionInput?.state ?? {}),
    stubs: stubs && copyJson(stubs),
    environment: environmentFor(conversation),
  };
  let opening: Promise<AgentSession> | undefined;
  try {
    return await step(conversation, 'agent', 'opening the session', () => {
      opening = openAfter(conversation, start, earlier, session.signal);
      return opening.then(checkSession);
    });
  } catch (error) {
    // Close a session that opens too late.
    opening?.then((late) => late.close()).catch(() => undefined);
    throw error;
  }
}

function environmentFor(conversation: Conversation): SessionStart['environment'] {
  const { plan, agent, unit, key, options, session, invocations } = conversation;
  const planned = plan.environments.get(key.caseId);
  const turn = () => invocations.length;
  return (
    planned &&
    openEnvironment({
      planned,
      agent,
      unit,
      key,
      signal: session.signal,
      turn,
      tools: (simulator) => options.simulatorTools(simulator, turn),
    })
  );
}

/**
 * Opens a session with the case's history if the agent supports that. Otherwise, the earlier turns are sent like any
 * others.
 */
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
      // The session opened too late, so the caller closes it.
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

/** Sends the messages of a fixed conversation in order, regardless of the answers. */
async function sayAll(
  conversation: Conversation,
  session: AgentSession,
  turns: readonly Invocation[],
): Promise<Ending> {
  const { signal } = conversation.options;
  for (const { userContent } of turns) {
    signal.throwIfAborted();
    // Send a copy, because the agent may modify it.
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
    // After a timeout, an agent that respects the signal returns the turn as far as it got.
    const late = conversation.options.signal.aborted ? null : await within(LATE_TURN, sending);
    if (late) keep(late);
    throw error;
  }
  keep(sent);
  const { error } = sent;
  if (!error) return null;
  // Our own errors have no stack, and already name the agent.
  const blamed = error.stack === undefined ? '' : 'the agent failed: ';
  return { by: 'error', of: 'agent', error: { ...error, message: `${turn}: ${blamed}${error.message}` } };
}

/**
 * Resolves with the result of some work if it finishes within the given time, or with `null` if it is late or fails.
 */
function within<T>(milliseconds: number, work: Promise<T> | undefined): Promise<T | null> {
  return inTime(() => work ?? null, { milliseconds }).catch(() => null);
}

/** A failure in a conversation: the step that failed, and whether the agent or the simulated user caused it. */
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

/** Runs a step after a conversation. If the step fails, the failure is added to the notes. */
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

function endingOf(error: unknown, signal: AbortSignal): Ending {
  if (signal.aborted) return { by: 'abort', reason: toErrorInfo(signal.reason).message };
  if (!(error instanceof Broken)) return { by: 'error', of: 'harness', error: toErrorInfo(error) };
  const { of, message: where, cause } = error;
  const info = toErrorInfo(cause, of === 'agent' ? 'AGENT_FAILED' : 'CALL_FAILED');
  // Our own error messages already name the culprit.
  const threw = CriteriaError.is(cause) ? '' : THREW[of];
  return { by: 'error', of, error: { ...info, message: `${where}: ${threw}${info.message}` } };
}
