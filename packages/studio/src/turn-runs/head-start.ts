import type { Agent, AgentSession, SessionStart, State } from '@agent-criteria/core';
import type { EarlierTurn } from '@agent-criteria/core/host';

/** The starting point of a session that continues a conversation. */
export interface Before {
  readonly state: State;
  /** The conversation with its events. Default: the one in the case. */
  readonly history?: readonly EarlierTurn[] | undefined;
  readonly artifacts?: SessionStart['artifacts'] | undefined;
}

export interface HeadStart {
  /** `null` if it is unknown, so that earlier messages have to be sent again. */
  readonly before: Before | null;
  /** Changes made by hand to the state, by the position of the message before which they were made. */
  readonly changes: ReadonlyMap<number, State>;
}

/** Whether an agent continues a conversation, so that earlier messages need not be sent again. */
export function continues({ supportsHistory }: Agent, { before }: Pick<HeadStart, 'before'>): boolean {
  return supportsHistory === true && before !== null;
}

/**
 * Wraps an agent so that sessions with a history start from the state and the files that belong to it. Sessions without
 * one get changes to the state where a person made them.
 */
export function withHeadStart(agent: Agent, start: HeadStart): Agent {
  const { before, changes } = start;
  return {
    name: agent.name,
    supportsStubs: agent.supportsStubs,
    supportsHistory: continues(agent, start),
    supportsFiles: agent.supportsFiles,
    async open(given, signal) {
      if (given.history !== undefined && before !== null) {
        const { history = given.history, artifacts } = before;
        return agent.open({ ...given, state: structuredClone(before.state), history, artifacts }, signal);
      }
      const session = await agent.open(given, signal);
      return changes.size === 0 ? session : changing(session, changes);
    },
    ...(agent.describe === undefined
      ? {}
      : { describe: (signal) => agent.describe?.(signal) ?? Promise.resolve(null) }),
    ...(agent.check === undefined ? {} : { check: async (signal) => (await agent.check?.(signal)) ?? [] }),
  };
}

function changing(session: AgentSession, changes: ReadonlyMap<number, State>): AgentSession {
  let sent = 0;
  return {
    id: session.id,
    async send(message, options) {
      const change = changes.get(sent);
      sent += 1;
      if (change !== undefined) await session.changeState?.(structuredClone(change));
      return session.send(message, options);
    },
    state: () => session.state(),
    close: () => session.close(),
    ...(session.changeState === undefined ? {} : { changeState: async (delta: State) => session.changeState?.(delta) }),
    ...(session.artifacts === undefined ? {} : { artifacts: session.artifacts }),
  };
}
