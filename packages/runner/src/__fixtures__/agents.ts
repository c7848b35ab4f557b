import { type Agent, type AgentSession, type AgentTurn, type Content, type SessionStart, contentText } from '@agent-criteria/core';
import { message } from '@agent-criteria/core/testing';

/** Creates an agent whose sessions echo each message. Any method can be replaced. */
export function sessionAgent(
  replace: (start: SessionStart, signal: AbortSignal) => Partial<AgentSession> = () => ({}),
): Agent {
  return {
    name: 'sessions',
    async open(start, signal) {
      return {
        id: start.sessionId ?? 'none',
        send: async (content) => echo(content),
        state: async () => start.state,
        close: async () => undefined,
        ...replace(start, signal),
      };
    },
  };
}

export function echo(content: Content): AgentTurn {
  return { invocation: { userContent: content, finalResponse: message('model', contentText(content)) } };
}

export function never<T>(): Promise<T> {
  return new Promise(() => undefined);
}

/** Creates a promise that the caller settles. */
export function deferred<T>(): { promise: Promise<T>; resolve: (value: T) => void; reject: (error: unknown) => void } {
  let resolve: (value: T) => void = () => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const promise = new Promise<T>((done, fail) => {
    resolve = done;
    reject = fail;
  });
  return { promise, resolve, reject };
}

export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFreeze(inner);
  }
  return value;
}

