import { openStubs } from '@agent-criteria/calls';
import { toJson } from '@agent-criteria/calls/json';
import type { AgentSession, Part, SessionStart, State } from '@agent-criteria/core';
import type { AgentArtifacts } from '@agent-criteria/core/host';
import { type AdkModule, type AdkRoot, type AdkRunner, isApp, isWorkflow, rootOf } from './adk-shapes.ts';
import { type CurrentTurn, capturePlugin, stubPlugin } from './plugins.ts';
import { runTurn } from './run-turn.ts';
import { sessionEvents } from './session-events.ts';

export interface SessionOptions {
  readonly adk: AdkModule;
  readonly root: AdkRoot;
  /** ADK's `RunConfig`. */
  readonly runConfig: object;
  readonly retryOptions: State | null;
  /** Releases the session's resources. */
  release(): Promise<void>;
}

/** The app name for agents without an App. */
const APP_NAME = 'agent_criteria';

/** Opens a session with its own in-memory services, invisible to other sessions. */
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
  const last = stubPlugin(adk, openStubs(start.stubs ?? [], start.key, start.environment), current);
  const runner = new adk.InMemoryRunner(
    isApp(root) ? { app: withPlugins(root, first, last) } : { agent: root, appName: APP_NAME, plugins: [first, last] },
  );
  const { appName, sessionService } = runner;
  const { userId, sessionId: wanted, state, history = [], artifacts = [] } = start;
  const session = { appName, userId, sessionId: wanted, state };
  const { id: sessionId } = await sessionService.createSession(session);
  const events = sessionEvents(adk, runner, { userId, sessionId });
  await events.append(history, rootOf(root).name);
  for (const { name: filename, versions } of artifacts) {
    for (const artifact of versions) {
      await runner.artifactService.saveArtifact({ appName, userId, sessionId, filename, artifact });
    }
  }
  const node = rootOf(root);
  const workflow = isWorkflow(node) ? node.name : null;
  let turns = 0;
  return {
    id: sessionId,
    async send(message, { onEvent: on, signal: stop, streaming } = {}) {
      let own: CurrentTurn | undefined;
      const begin = (begun: CurrentTurn): void => {
        own = begun;
        turn = begun;
      };
      const index = turns++;
      // Chosen as in ADK's own server.
      const mode = streaming === undefined ? {} : { streamingMode: streaming ? 'sse' : 'none' };
      const either = stop === undefined ? signal : AbortSignal.any([signal, stop]);
      const config = { ...runConfig, ...mode };
      const whole = {
        runner,
        userId,
        sessionId,
        runConfig: config,
        message,
        index,
        workflow,
        signal: either,
        begin,
        on,
      };
      const done = await runTurn(whole);
      if (done.error !== undefined && own?.invocationId) await events.cutOff(own.invocationId);
      return done;
    },
    async state() {
      const found = await sessionService.getSession({ appName, userId, sessionId });
      return found === undefined ? null : (toJson(found.state) as State);
    },
    changeState: (delta) => events.changeState(delta),
    artifacts: artifactsOf(runner, userId, sessionId),
    close: release,
  };
}

function artifactsOf({ appName, artifactService }: AdkRunner, userId: string, sessionId: string): AgentArtifacts {
  const key = { appName, userId, sessionId };
  return {
    async list() {
      const names = await artifactService.listArtifactKeys(key);
      return Promise.all(
        names.map(async (filename) => ({
          name: filename,
          versions: await artifactService.listVersions({ ...key, filename }),
        })),
      );
    },
    async load(filename, version) {
      const found = await artifactService.loadArtifact({ ...key, filename, version });
      return found === undefined ? null : (toJson(found) as Part);
    },
  };
}

/** Returns a copy, because the App is shared and belongs to the user. */
function withPlugins(app: { readonly plugins?: readonly object[] }, first: object, last: object): object {
  return Object.create(app, { plugins: { value: [first, ...(app.plugins ?? []), last], enumerable: true } });
}
