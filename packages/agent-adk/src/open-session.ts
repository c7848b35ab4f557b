import type { AgentSession, SessionStart, State } from '@agent-criteria/core';
import { openStubs } from '@agent-criteria/core/stubs';
import { type AdkModule, type AdkRoot, isApp } from './adk-shapes.ts';
import { type CurrentTurn, capturePlugin } from './capture-plugin.ts';
import { runTurn } from './run-turn.ts';
import { stubPlugin } from './stub-plugin.ts';
import { toJson } from './to-json.ts';

export interface SessionOptions {
  readonly adk: AdkModule;
  readonly root: AdkRoot;
  /** As ADK's `RunConfig`. */
  readonly runConfig: object;
  readonly retryOptions: State | null;
  /** Ends what the session holds. */
  release(): Promise<void>;
}

/** The app of agents without one. */
const APP_NAME = 'agent_criteria';

/** A session with services of its own, in memory: no other one can see it. */
export async function openSession(
  { adk, root, runConfig, retryOptions, release }: SessionOptions,
  start: SessionStart,
  signal: AbortSignal,
): Promise<AgentSession> {
  let turn: CurrentTurn | undefined;
  const current = (): CurrentTurn => {
    if (turn === undefined) throw new Error('no turn is under way');
    return turn;
  };
  const first = capturePlugin(adk, retryOptions, current);
  const last = stubPlugin(adk, openStubs(start.stubs ?? [], start.key), current);
  const runner = new adk.InMemoryRunner(
    isApp(root) ? { app: withPlugins(root, first, last) } : { agent: root, appName: APP_NAME, plugins: [first, last] },
  );
  const { appName, sessionService } = runner;
  const { userId, sessionId: wanted, state } = start;
  const session = { appName, userId, sessionId: wanted, state };
  const { id: sessionId } = await sessionService.createSession(session);
  let turns = 0;
  return {
    id: sessionId,
    async send(message, on) {
      const begin = (begun: CurrentTurn): void => {
        turn = begun;
      };
      const index = turns++;
      return runTurn({ runner, userId, sessionId, runConfig, message, index, signal, begin, on });
    },
    async state() {
      const found = await sessionService.getSession({ appName, userId, sessionId });
      return found === undefined ? null : (toJson(found.state) as State);
    },
    close: release,
  };
}

/** A copy: the App is shared, and belongs to the user. */
function withPlugins(app: { readonly plugins?: readonly object[] }, first: object, last: object): object {
  return Object.create(app, { plugins: { value: [first, ...(app.plugins ?? []), last], enumerable: true } });
}
