import { isA2aUrl, toMilliseconds } from '@agent-criteria/calls';
import {
  type Connection,
  checkHeaders,
  credentialsFrom,
  howToSignIn,
  isRefusal,
} from '@agent-criteria/calls/agent-server';
import {
  type Agent,
  type AgentAdapter,
  type AgentSession,
  type AgentTurn,
  CriteriaError,
  type ErrorInfo,
  toErrorInfo,
} from '@agent-criteria/core';
import manifest from '../package.json' with { type: 'json' };
import { readAgentUrl } from './agent-url.ts';
import { type AppInfo, describeApp, detailsOfAuthors, readAppInfo } from './app-info.ts';
import { artifactsOf } from './artifacts.ts';
import { checkServer } from './check-server.ts';
import { type AgentEvent, earlierEvents, readEvents } from './events.ts';
import { cutOffOf, eventsToInvocation, ofAgents, problemIn, toolSpans } from './events-to-invocation.ts';
import { explain, onlyApp } from './server.ts';
import {
  changeState,
  deleteSession,
  type OpenedSession,
  openSession,
  readState,
  type SessionForm,
} from './sessions.ts';
import { checkSettings, type HttpAgentSettings } from './settings.ts';
import { nothingCame, type Route, sendByAnyRoute, sendMessage } from './turn.ts';

/** The time limit for deleting a session, which is not awaited, in milliseconds. */
const CLOSING = 5000;

const START = 'start the agent\'s server (such as "adk api_server")';

/**
 * Creates an agent under test from ADK's REST server, in any language: `adk api_server`, `adk web`, or a deployment of
 * either. The URL is the server's root if it has only one app, or else `<root>/apps/<app>` or `<root>?app=<app>`.
 *
 * The server is not contacted until a run checks it or the first session opens. Each session is created on the server
 * with the state of the case, and deleted when it is closed. The bearer token and headers come from the settings, or
 * from the environment variables `AGENT_CRITERIA_AGENT_TOKEN` and `AGENT_CRITERIA_AGENT_HEADERS`.
 *
 * @throws CriteriaError USAGE if the URL matches none of these forms, INVALID_CONFIG if a setting is invalid or an
 *   environment variable does not contain headers.
 */
export function httpAgent(url: string, settings: HttpAgentSettings = {}): Agent {
  const address = readAgentUrl(url);
  checkSettings(settings);
  checkHeaders(settings, process.env);
  const { requestTimeout = 60_000, maxAnswerBytes = 50_000_000, streaming = false } = settings;
  const timeout = toMilliseconds(requestTimeout);
  const turnTimeout = settings.turnTimeout === undefined ? undefined : toMilliseconds(settings.turnTimeout);
  const connection: Connection = {
    server: address.server,
    maxAnswerBytes,
    advice: { signIn: howToSignIn, start: START, notJson: 'is this the root of an ADK server?' },
    credentials: () => credentialsFrom(settings, process.env),
  };

  // Facts about the server, cached for later sessions.
  let app = appFrom(address.app, settings.app, url);
  let form: SessionForm | null = null;
  let info: AppInfo | null = null;
  let route: Route | null = settings.route ?? (streaming ? 'run_sse' : null);

  const appOf = async (signal?: AbortSignal): Promise<string> => {
    app ??= await onlyApp(connection, timeout, signal);
    return app;
  };
  const infoOf = async (signal?: AbortSignal): Promise<AppInfo> => {
    info ??= await readAppInfo(connection, await appOf(signal), settings, { timeout, signal });
    return info;
  };

  return {
    name: settings.name ?? app ?? new URL(address.server).host,
    supportsHistory: true,
    supportsFiles: true,

    async describe(signal) {
      return describeApp(await infoOf(signal));
    },

    check: (signal) => checkServer(connection, app, { timeout, signal }),

    async open({ userId, sessionId, state, history }, signal) {
      const name = await appOf(signal);
      const events = history === undefined ? [] : earlierEvents(history, (await infoOf(signal)).root ?? name);
      const wanted = { app: name, userId, sessionId, state, events };
      const opened = await openSession(connection, wanted, form, { timeout, signal });
      if (isRefusal(opened)) throw await explain(connection, name, opened, timeout, signal);
      form = opened.form;
      const { session } = opened;
      try {
        await infoOf(signal);
      } catch (error) {
        await deleteSession(connection, session, CLOSING);
        throw error;
      }
      return sessionOf(session, name, userId, signal);
    },
  };

  function sessionOf(session: OpenedSession, name: string, userId: string, signal: AbortSignal): AgentSession {
    let turns = 0;
    return {
      id: session.id,

      async send(message, { onEvent: on, signal: stop, streaming: asked = streaming } = {}): Promise<AgentTurn> {
        const turn = turns++;
        const startedAt = Date.now();
        const either = stop === undefined ? signal : AbortSignal.any([signal, stop]);
        const send = (by: Route) => {
          const said = { app: name, userId, sessionId: session.id, message, streaming: asked };
          return sendMessage(connection, by, said, { timeout: turnTimeout, signal: either, on });
        };
        // A turn with an event listener is streamed, whichever route other turns use.
        const isWatched = asked && !streaming && settings.route === undefined;
        const { route: taken, reply } =
          route !== null && !isWatched
            ? { route, reply: await send(route) }
            : await sendByAnyRoute(send, isWatched ? ['run_sse', 'run'] : ['run', 'run_sse']);
        if (isRefusal(reply)) throw await explain(connection, name, reply, timeout, signal);
        if (!isWatched) route = taken;

        const events = eventsOf(reply.events, `POST ${address.server}/${taken}`);
        const failure =
          reply.failure === null ? null : toErrorInfo(reply.failure, either.aborted ? 'ABORTED' : 'AGENT_FAILED');
        const whole = ofAgents(events);
        if (whole.length === 0) throw reply.failure ?? nothingCame(address.server, taken);
        const error: ErrorInfo | null = failure ?? problemIn(events, reply.hide);
        const span = {
          id: `turn-${turn + 1}`,
          kind: 'agent',
          name,
          turn,
          startedAt,
          endedAt: Date.now(),
          ...(error === null ? {} : { error }),
        } as const;
        const details = detailsOfAuthors(
          await infoOf(signal),
          whole.map(({ author }) => author),
        );
        const cutOff = cutOffOf(events);
        return {
          invocation: eventsToInvocation(message, events, details),
          trace: [span, ...toolSpans(events, turn, span.id)],
          ...(cutOff === null ? {} : { cutOff }),
          ...(error === null ? {} : { error }),
        };
      },

      state: () => readState(connection, session, { timeout, signal }),

      changeState: (delta) => changeState(connection, session, delta, { timeout, signal }),

      artifacts: artifactsOf(connection, session, { timeout, signal }),

      // The signal is not passed on, because interrupted sessions must be deleted too.
      close: () => deleteSession(connection, session, CLOSING),
    };
  }
}

/**
 * Creates the adapter for agents given as a URL with custom settings, for `plugins` in `agent-criteria.config.ts`. It
 * replaces the default adapter.
 */
export function httpAgents(settings: HttpAgentSettings = {}): AgentAdapter {
  return {
    kind: 'agent-adapter',
    specVersion: 3,
    name: 'http',
    origin: { package: manifest.name, version: manifest.version },
    accepts: (exported) => typeof exported === 'string' && /^https?:\/\//i.test(exported) && !isA2aUrl(exported),
    adapt: (exported) => httpAgent(String(exported), settings),
  };
}

/** The adapter for agents given as a URL, configured only by environment variables. */
export const http: AgentAdapter = httpAgents();

function appFrom(named: string | null, asked: string | undefined, file: string): string | null {
  if (named === null || asked === undefined || named === asked) return named ?? asked ?? null;
  const message = `the URL names the app "${named}" and the settings name "${asked}": keep one of them`;
  throw new CriteriaError({ code: 'USAGE', file, message });
}

function eventsOf(values: readonly unknown[], file: string): AgentEvent[] {
  try {
    return readEvents(values);
  } catch (cause) {
    if (!CriteriaError.is(cause)) throw cause;
    const message = `an event of the server cannot be read: ${cause.message}`;
    throw new CriteriaError({ code: 'AGENT_FAILED', file, message }, { cause });
  }
}
