import {
  type Agent,
  type AgentSession,
  type Content,
  CriteriaError,
  type Ending,
  type Inference,
  type Invocation,
  type Next,
  type Plan,
  type Span,
  type State,
  toErrorInfo,
  type Tools,
  type Unit,
  type UnitKey,
} from '@agent-criteria/core';
import { within } from './timeout.ts';

/** ADK's user of sessions that name none. */
const DEFAULT_USER = 'test_user_id';

export interface ConverseOptions {
  readonly turnTimeout: number;
  readonly signal: AbortSignal;
  /** What a simulated user may use. */
  readonly tools: Tools;
}

/**
 * Runs an agent through one unit, in a fresh session with the case's state. Never rejects: a failure or an abort is how
 * the inference ended, and the turns before it are kept.
 */
export async function converse(plan: Plan, agent: Agent, unit: Unit, options: ConverseOptions): Promise<Inference> {
  const key: UnitKey = { setId: unit.setId, caseId: unit.case.evalId, repeat: unit.repeat };
  const { sessionInput } = unit.case;
  // The session's own signal: it also aborts when a turn runs out of time, so that the agent can stop working.
  const session = new AbortController();
  const stop = (): void => session.abort(options.signal.reason);
  if (options.signal.aborted) stop();
  else options.signal.addEventListener('abort', stop, { once: true });

  const sessionId = sessionIdFor(unit);
  const turns = { invocations: [] as Invocation[], trace: [] as Span[] };
  let open: AgentSession | undefined;
  let initial: State | null = null;
  let ending: Ending;
  try {
    options.signal.throwIfAborted();
    const start = { key, userId: sessionInput?.userId ?? DEFAULT_USER, sessionId, state: structuredClone(sessionInput?.state ?? {}) as State };
    open = await within(agent.open(start, session.signal), options.turnTimeout, 'opening the session', options.signal);
    initial = await open.state();
    ending = await talk(open, userOf(plan, unit, key, options.tools), turns, options);
  } catch (error) {
    ending = endingOf(error, options.signal);
  }
  let final: State | null = null;
  try {
    if (ending.by === 'error') session.abort(new Error('the conversation has ended'));
    else final = (await open?.state()) ?? null;
    await open?.close();
  } catch (error) {
    // What the agent said is worth keeping; that it could not be closed is said beside it.
    const note = `closing the session failed: ${toErrorInfo(error).message}`;
    ending = { ...ending, reason: ending.reason === undefined ? note : `${ending.reason}; ${note}` };
  } finally {
    options.signal.removeEventListener('abort', stop);
  }
  return {
    sessionId: open?.id ?? sessionId,
    invocations: turns.invocations,
    state: { initial, final },
    ...(turns.trace.length > 0 ? { trace: turns.trace } : {}),
    ending,
  };
}

/** A pinned id belongs to the first repeat: repeats must not see each other. */
function sessionIdFor(unit: Unit): string {
  const pinned = unit.case.sessionInput?.sessionId;
  return pinned && unit.repeat === 0 ? pinned : `agent-criteria-${globalThis.crypto.randomUUID()}`;
}

/** Whoever talks to the agent: a list of messages, or a simulated user. */
interface User {
  /** `null`: a fixed conversation has come to its end. */
  next(soFar: readonly Invocation[]): Promise<Next | null>;
  close(): Promise<void>;
}

function userOf(plan: Plan, unit: Unit, key: UnitKey, tools: Tools): User {
  const { conversation, conversationScenario } = unit.case;
  if (conversation) {
    return {
      async next(soFar) {
        const turn = conversation[soFar.length];
        return turn ? { message: turn.userContent } : null;
      },
      async close() {},
    };
  }
  if (!conversationScenario || !plan.simulator) {
    throw new CriteriaError({ code: 'UNKNOWN_SIMULATOR', message: `no simulated user is planned for the case "${key.caseId}"` });
  }
  const { simulator, options } = plan.simulator;
  const session = simulator.open({ key, scenario: conversationScenario }, options, tools);
  return { next: (soFar) => session.next(soFar), close: async () => session.close?.() };
}

async function talk(
  session: AgentSession,
  user: User,
  turns: { invocations: Invocation[]; trace: Span[] },
  options: ConverseOptions,
): Promise<Ending> {
  try {
    for (;;) {
      options.signal.throwIfAborted();
      const next = await asUser(() => within(user.next(turns.invocations), options.turnTimeout, 'the simulated user', options.signal));
      if (next === null) return { by: 'end-of-case' };
      if (next.message !== undefined) {
        const failed = await turn(session, next.message, turns, options);
        if (failed) return failed;
      }
      if (next.ending !== undefined) return { ...next.ending };
    }
  } finally {
    await asUser(() => user.close());
  }
}

async function turn(
  session: AgentSession,
  message: Content,
  turns: { invocations: Invocation[]; trace: Span[] },
  options: ConverseOptions,
): Promise<Ending | null> {
  const startedAt = Date.now();
  const what = `turn ${turns.invocations.length + 1} of the agent`;
  const answered = await within(session.send(message), options.turnTimeout, what, options.signal);
  turns.invocations.push({
    ...answered.invocation,
    creationTimestamp: answered.invocation.creationTimestamp ?? startedAt / 1000,
    duration: answered.invocation.duration ?? (Date.now() - startedAt) / 1000,
  });
  turns.trace.push(...(answered.trace ?? []));
  return answered.error ? { by: 'error', of: 'agent', error: answered.error } : null;
}

/** Marks what a simulated user threw, so that the agent is not blamed for it. */
class UserFailure extends Error {}

async function asUser<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw new UserFailure('the simulated user failed', { cause: error });
  }
}

function endingOf(error: unknown, signal: AbortSignal): Ending {
  if (signal.aborted) return { by: 'abort', reason: toErrorInfo(signal.reason).message };
  if (error instanceof UserFailure) return { by: 'error', of: 'user', error: toErrorInfo(error.cause, 'AGENT_FAILED') };
  return { by: 'error', of: 'agent', error: toErrorInfo(error, 'AGENT_FAILED') };
}
