import { randomUUID, toMilliseconds } from '@agent-criteria/calls';
import { type Connection, hidingCredentials } from '@agent-criteria/calls/agent-server';
import {
  type Agent,
  type AgentDescription,
  type AgentSession,
  type AgentTurn,
  type Content,
  CriteriaError,
  contentText,
  type Invocation,
  type Json,
  type State,
  toErrorInfo,
} from '@agent-criteria/core';
import { isObject, recordedEvents } from '@agent-criteria/formats';
import { appDetailsOf, invocationOf, type ReportedTurn, toolDeclarations } from '@agent-criteria/formats/messages';
import { segmentOf } from '../agent-url.ts';
import { askEndpoint } from './ask-endpoint.ts';
import { endpointHeaders } from './endpoint-headers.ts';
import { findValue } from './find-values.ts';
import { checkEndpointOptions, type EndpointOptions, type EndpointRequest } from './options.ts';
import { type Reading, readAnswer } from './read-answer.ts';
import { fillTemplate, fillText, type Lookup, placeholdersIn } from './template.ts';

const BODY: Json = { message: '{{message}}', session_id: '{{session.id}}' };

const SIGN_IN = "add a header to the agent, as headers: { authorization: 'Bearer {{env.…}}' }";

/**
 * Creates an agent under test from any HTTP endpoint that answers a message with JSON or with server-sent events.
 *
 * Nothing is sent before the first turn. A turn is one request, which is never repeated. Sessions continue a history only
 * if the body has `{{history}}` or is a function.
 *
 * @throws CriteriaError INVALID_CONFIG that lists every mistake in the options.
 */
export function endpointAgent(options: EndpointOptions): Agent {
  checkEndpointOptions(options);
  const { url, method = 'POST', headers = {}, maxAnswerBytes = 50_000_000 } = options;
  const body = method === 'GET' ? undefined : (options.body ?? BODY);
  const used = new Set([
    ...(typeof body === 'function' || body === undefined ? [] : placeholdersIn(body)),
    ...placeholdersIn(url),
  ]);
  const uses = (name: string): boolean =>
    typeof body === 'function' || [...used].some((one) => one === name || one.startsWith(`${name}.`));
  const name = options.name ?? new URL(url).host;
  const description = descriptionOf(options, name);
  const appDetails = appDetailsOf(description === null ? [] : [description]);
  const timeout = options.turnTimeout === undefined ? undefined : toMilliseconds(options.turnTimeout);
  const { delta } = options;
  const isPlainText = (typeof delta === 'object' ? delta.path : delta) === '$';
  const connectionTo = (address: string): Connection => ({
    server: address,
    maxAnswerBytes,
    advice: { signIn: SIGN_IN, start: 'start the agent', notJson: 'is this the URL of the endpoint?' },
    credentials: () => hidingCredentials(endpointHeaders(headers, process.env), process.env),
  });

  return {
    name,
    supportsHistory: uses('history'),
    supportsFiles: uses('content'),
    describe: async () => description,

    async check() {
      try {
        endpointHeaders(headers, process.env);
        return [];
      } catch (error) {
        if (CriteriaError.is(error)) return error.problems;
        throw error;
      }
    },

    async open({ userId, sessionId, state, history = [] }, signal) {
      if (Object.keys(state).length > 0 && !uses('state')) {
        throw unsupported(`the case has state, which the agent "${name}" does not send: put {{state}} into its body`);
      }
      const earlier = history.map(({ invocation }) => invocation);
      const id = options.session === undefined ? (sessionId ?? randomUUID()) : null;
      return sessionOf({ id, userId, state, history: earlier }, signal);
    },
  };

  function sessionOf(
    start: {
      readonly id: string | null;
      readonly userId: string;
      readonly state: State;
      readonly history: readonly Invocation[];
    },
    signal: AbortSignal,
  ): AgentSession {
    const { userId } = start;
    const ownId = start.id ?? randomUUID();
    const history = [...start.history];
    let id = start.id;
    let state = start.state;
    let turns = 0;
    return {
      id: ownId,

      async send(message, { onEvent, signal: stop } = {}): Promise<AgentTurn> {
        const turn = turns++;
        const request: EndpointRequest = {
          message: contentText(message),
          content: message as Json,
          history: [...history],
          state,
          sessionId: id,
          userId,
        };
        if (hasFiles(message) && !uses('content')) {
          throw unsupported(
            `the message has a file, which the agent "${name}" does not send: put {{content}} into its body`,
          );
        }
        const either = stop === undefined ? signal : AbortSignal.any([signal, stop]);
        const startedAt = Date.now();
        const { reading, failure } = await ask(request, either, (text) =>
          onEvent?.({ author: name, partial: true, content: { role: 'model', parts: [{ text }] } }),
        );
        if (reading === null) throw failure;
        id = reading.sessionId() ?? id;
        const next = reading.state();
        if (isObject(next)) state = next as State;
        const cutOff = reading.cutOff();
        const error = failure === null ? undefined : toErrorInfo(failure, either.aborted ? 'ABORTED' : 'AGENT_FAILED');
        const turnOf = error === undefined ? wholeTurn(reading) : brokenTurn(reading);
        const built = invocationOf({ userContent: message, author: name, ...turnOf });
        const invocation = appDetails === null ? built : { ...built, appDetails };
        if (error === undefined) history.push(invocation);
        // The first event is the message, unless it is empty.
        const events = recordedEvents(invocation, name, `e-${turn + 1}`).slice(message.parts?.length ? 1 : 0);
        for (const { author, content } of events) onEvent?.({ author, content: content as Json });
        return {
          invocation,
          trace: [
            {
              id: `turn-${turn + 1}`,
              kind: 'agent',
              name,
              turn,
              startedAt,
              endedAt: Date.now(),
              ...(error === undefined ? {} : { error }),
            },
          ],
          ...(cutOff === undefined ? {} : { cutOff }),
          ...(error === undefined ? {} : { error }),
        };
      },

      // The server may change the state without saying so.
      state: async () => (options.state === undefined ? null : state),

      ...(uses('state')
        ? {
            async changeState(delta: State) {
              state = { ...state, ...delta };
            },
          }
        : {}),

      close: async () => undefined,
    };
  }

  /** Sends a request and reads its answer as far as it came. */
  async function ask(
    request: EndpointRequest,
    signal: AbortSignal,
    onPiece: (text: string) => void,
  ): Promise<{ readonly reading: Reading | null; readonly failure: unknown }> {
    const lookup = lookupIn(request);
    const [path = '', query] = split(url);
    const inPath = (value: string): string => segmentOf(value, 'a value in the URL of the agent');
    const address =
      fillText(path, lookup, inPath) + (query === undefined ? '' : fillText(query, lookup, encodeURIComponent));
    const sent =
      typeof body === 'function' ? body(request) : body === undefined ? undefined : fillTemplate(body, lookup);
    let reading: Reading | null = null;
    try {
      await askEndpoint(connectionTo(address), { method, path: '', body: sent, timeout, signal }, isPlainText, {
        take(message) {
          reading ??= readAnswer(options);
          const piece = reading.take(message);
          if (piece !== '') onPiece(piece);
        },
        end() {
          reading ??= readAnswer(options);
          reading.answer();
          if (request.sessionId === null && reading.sessionId() === null) throw noSession(options);
        },
      });
      return { reading, failure: null };
    } catch (failure) {
      return { reading, failure: signal.aborted ? signal.reason : failure };
    }
  }
}

type Answered = Pick<ReportedTurn, 'answer' | 'steps'>;

function wholeTurn(reading: Reading): Answered {
  return { answer: reading.answer(), steps: reading.steps() };
}

/** Keeps what came before the turn broke off. Its text is no answer. */
function brokenTurn(reading: Reading): Answered {
  const text = reading.text();
  const steps = reading.steps();
  return { answer: null, steps: text === null || text === '' ? steps : [...steps, { kind: 'text', text }] };
}

function noSession({ session }: EndpointOptions): CriteriaError {
  const path = typeof session === 'string' ? session : session?.path;
  const message = `session (${path}) found no id in the first answer, so the next turn would begin a new conversation`;
  return new CriteriaError({ code: 'AGENT_FAILED', message });
}

/** Splits a URL before its query, which is encoded differently. */
function split(url: string): readonly [path: string, query?: string] {
  const at = url.indexOf('?');
  return at === -1 ? [url] : [url.slice(0, at), url.slice(at)];
}

function lookupIn({ message, content, history, state, sessionId, userId }: EndpointRequest): Lookup {
  return (name) => {
    if (name === 'message') return message;
    if (name === 'content') return content;
    if (name === 'history') return history.flatMap(messagesOf);
    if (name === 'session.id') return sessionId ?? undefined;
    if (name === 'user.id') return userId;
    return name === 'state' ? state : findValue(state, name.slice('state.'.length));
  };
}

/** Writes an earlier turn as messages. Turns without an answer were stopped or failed, and are left out. */
function messagesOf({ userContent, finalResponse }: Invocation): readonly Json[] {
  if (!finalResponse) return [];
  return [
    { role: 'user', content: contentText(userContent) },
    { role: 'assistant', content: contentText(finalResponse) },
  ];
}

function hasFiles({ parts }: Content): boolean {
  return (parts ?? []).some(({ inlineData, fileData }) => inlineData != null || fileData != null);
}

function descriptionOf({ description, instructions, tools }: EndpointOptions, name: string): AgentDescription | null {
  if (description === undefined && instructions === undefined && tools === undefined) return null;
  return {
    name,
    ...(description === undefined ? {} : { description }),
    ...(instructions === undefined ? {} : { instructions }),
    ...(tools === undefined ? {} : { tools: toolDeclarations(tools) }),
  };
}

function unsupported(message: string): CriteriaError {
  return new CriteriaError({ code: 'NOT_SUPPORTED', message });
}
