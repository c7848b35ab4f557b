import { isA2aUrl, openTimeLimit, randomUUID, timeInWords, toMilliseconds } from '@agent-criteria/calls';
import { checkHeaders } from '@agent-criteria/calls/agent-server';
import {
  type Agent,
  type AgentAdapter,
  type AgentSession,
  type AgentTurn,
  type Content,
  CriteriaError,
  type ErrorInfo,
  toErrorInfo,
} from '@agent-criteria/core';
import { fileNames } from '@agent-criteria/formats';
import { appDetailsOf } from '@agent-criteria/formats/messages';
import manifest from '../package.json' with { type: 'json' };
import { describeCard, parseAgentCard, takesFiles } from './agent-card.ts';
import { askAgent, cancelTask } from './ask-agent.ts';
import { cardAddresses } from './card-address.ts';
import { type A2aAgentOptions, checkOptions } from './options.ts';
import { TERMINAL } from './payloads.ts';
import type { ConversationIds } from './requests.ts';
import { type AgentServer, readServer, serverOfCard } from './server.ts';
import { createTurnRecord, type KnownTask } from './turn-record.ts';
import { errorOf, invocationOf, readTurn, toolSpans } from './turn-result.ts';

/** The time limit for cancelling a task, in milliseconds. Nothing waits for it but the end of a session. */
const CANCELLING = 3000;

/**
 * Creates an agent under test from an agent behind the A2A protocol, version 0.3 or 1.x: from its card, or from the URL of its
 * card or of its server.
 *
 * The server is not contacted until a run checks it or the first session opens. The server begins a conversation with the
 * first message of a session. The bearer token and headers come from the options, or from the environment variables
 * `AGENT_CRITERIA_AGENT_TOKEN` and `AGENT_CRITERIA_AGENT_HEADERS`.
 *
 *     export default a2aAgent('http://127.0.0.1:8000', { turnTimeout: '90s' });
 *
 * @throws CriteriaError USAGE if the URL is not one of an agent, INVALID_CONFIG if an option is invalid or an environment
 *   variable does not contain headers, and AGENT_FAILED or NOT_SUPPORTED if a card that is given cannot be used.
 */
export function a2aAgent(urlOrCard: string | object, options: A2aAgentOptions = {}): Agent {
  checkOptions(options);
  checkHeaders(options, process.env);
  const addresses = typeof urlOrCard === 'string' ? cardAddresses(urlOrCard) : null;
  const { requestTimeout = 60_000, pollInterval = 1000 } = options;
  const timeout = toMilliseconds(requestTimeout);
  const turnTimeout = options.turnTimeout === undefined ? undefined : toMilliseconds(options.turnTimeout);
  let server: AgentServer | null =
    addresses === null ? serverOfCard(parseAgentCard(urlOrCard, 'the agent card'), options) : null;
  const name = options.name ?? server?.card.name ?? addresses?.[0].host ?? 'agent';

  const serverOf = async (signal?: AbortSignal): Promise<AgentServer> => {
    if (server === null && addresses !== null) server = await readServer(addresses, options, { timeout, signal });
    return server as AgentServer;
  };

  return {
    name,

    // Before the card is read, a message with a file is rejected only when it is sent.
    get supportsFiles() {
      return server === null || takesFiles(server.card);
    },

    async describe(signal) {
      const { card } = await serverOf(signal);
      const { instructions, tools } = options;
      return {
        ...describeCard(card),
        ...(options.name === undefined ? {} : { name: options.name }),
        ...(instructions === undefined ? {} : { instructions }),
        ...(tools === undefined ? {} : { tools }),
      };
    },

    async check(signal) {
      try {
        await serverOf(signal);
        return [];
      } catch (error) {
        if (CriteriaError.is(error)) return error.problems;
        throw error;
      }
    },

    async open({ sessionId, state, history }, signal) {
      if (Object.keys(state).length > 0) {
        throw unsupported(
          `the case sets an initial state, but the A2A protocol cannot give the agent "${name}" one: remove session_input.state, or evaluate the agent another way`,
        );
      }
      if (history !== undefined) {
        throw unsupported(`the A2A protocol cannot continue earlier turns: send them again to the agent "${name}"`);
      }
      return sessionOf(await serverOf(signal), sessionId ?? randomUUID(), signal);
    },
  };

  function sessionOf(agentServer: AgentServer, id: string, signal: AbortSignal): AgentSession {
    const { card, connection } = agentServer;
    // Once the card is read, its name is better known than the host: a server of ADK calls its agent so in events, too.
    const speaker = options.name ?? card.name;
    const appDetails = appDetailsOf([{ name: speaker, instructions: options.instructions, tools: options.tools }]);
    const canStream = options.streaming ?? card.isStreaming;
    const cancelling = new Set<Promise<void>>();
    let ids: ConversationIds = { contextId: null, taskId: null };
    let known: KnownTask = { artifacts: new Map(), messages: new Set() };
    let turns = 0;

    const cancel = (taskId: string): void => {
      const work = cancelTask(agentServer, taskId, CANCELLING).finally(() => cancelling.delete(work));
      cancelling.add(work);
    };

    return {
      id,

      async send(message, { onEvent, signal: stop, streaming = false } = {}): Promise<AgentTurn> {
        const turn = turns++;
        checkFiles(message, takesFiles(card), name);
        const startedAt = Date.now();
        const limit = openTimeLimit({
          signal: stop === undefined ? signal : AbortSignal.any([signal, stop]),
          milliseconds: turnTimeout,
          tooLate: () => tooLate(connection.server, turnTimeout ?? 0),
        });
        const { contextId } = ids;
        const messageId = randomUUID();
        const record = createTurnRecord({
          name: speaker,
          messageId,
          contextId,
          known,
          reportsPieces: streaming,
          onEvent,
        });
        const asked = { content: message, messageId, ids, isStreamed: canStream };
        let failure: unknown = null;
        try {
          await askAgent(agentServer, asked, record, {
            signal: limit.signal,
            timeout,
            pollInterval: toMilliseconds(pollInterval),
          });
        } catch (error) {
          failure = limit.signal.aborted ? limit.signal.reason : error;
        } finally {
          limit.end();
        }
        const state = record.state();
        if (state === null) throw failure;
        const { task, outputs } = state;
        const result = readTurn(state, speaker, failure === null);
        record.end(failure === null && result.problem === null);
        const isOpen = task !== null && !TERMINAL.has(task.state);
        // Only a question is continued: no one waits for the task of a turn that broke off, or answers one that waits for a person.
        const goesOn = isOpen && failure === null && result.problem === null;
        if (isOpen && !goesOn) cancel(task.taskId);
        ids = { contextId: state.contextId || contextId, taskId: goesOn ? task.taskId : null };
        if (!goesOn) known = { artifacts: new Map(), messages: new Set() };

        const error: ErrorInfo | null =
          failure !== null
            ? toErrorInfo(failure, (stop?.aborted ?? false) || signal.aborted ? 'ABORTED' : 'AGENT_FAILED')
            : result.problem === null
              ? null
              : errorOf((await connection.credentials()).hide(result.problem));
        const invocation = invocationOf(message, result);
        const span = {
          id: `turn-${turn + 1}`,
          kind: 'agent',
          name: speaker,
          turn,
          startedAt,
          endedAt: Date.now(),
          ...(error === null ? {} : { error }),
        } as const;
        return {
          invocation: appDetails === null ? invocation : { ...invocation, appDetails },
          trace: [span, ...toolSpans(outputs, turn, span.id, speaker)],
          ...(error === null ? {} : { error }),
        };
      },

      // The protocol has no state.
      state: async () => null,

      async close() {
        // A task that waits for input would wait for ever.
        if (ids.taskId !== null) cancel(ids.taskId);
        ids = { ...ids, taskId: null };
        await Promise.all(cancelling);
      },
    };
  }
}

/**
 * Creates the adapter for agents of the A2A protocol given as a URL, with options, for `plugins` in
 * `agent-criteria.config.ts`. It replaces the default adapter.
 */
export function a2aAgents(options: A2aAgentOptions = {}): AgentAdapter {
  return {
    kind: 'agent-adapter',
    specVersion: 3,
    name: 'a2a',
    origin: { package: manifest.name, version: manifest.version },
    accepts: (exported) => typeof exported === 'string' && isA2aUrl(exported),
    adapt: (exported) => a2aAgent(String(exported), options),
  };
}

/** The adapter for agents of the A2A protocol given as a URL, configured only by environment variables. */
export const a2a: AgentAdapter = a2aAgents();

function checkFiles(message: Content, isAllowed: boolean, name: string): void {
  const [file] = isAllowed ? [] : fileNames(message);
  if (file === undefined) return;
  throw unsupported(
    `the message has the file "${file}", but the card of the agent "${name}" names no input modes for files`,
  );
}

function tooLate(server: string, milliseconds: number): CriteriaError {
  const { origin, pathname } = new URL(server);
  const message = `the turn did not end within ${timeInWords(milliseconds)} (turnTimeout)`;
  return new CriteriaError({ code: 'TIMEOUT', file: `POST ${origin}${pathname}`, message });
}

function unsupported(message: string): CriteriaError {
  return new CriteriaError({ code: 'NOT_SUPPORTED', message });
}
