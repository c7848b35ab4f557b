import { wideController } from '@agent-criteria/calls';
import { type Agent, type AgentSession, CriteriaError, type Json, type State } from '@agent-criteria/core';
import type { ToolCall } from '@agent-criteria/core/host';
import { stringifyJson } from '@agent-criteria/formats';
import { noMask, type SecretMask } from '@agent-criteria/masking';
import type { LoadedFiles } from './loaded-files.ts';
import { maskedPart } from './masked-part.ts';
import {
  type Calls,
  type FromAgent,
  LONGEST_MESSAGE,
  type LoadedDescription,
  type Method,
  type ToAgent,
  type WrittenError,
} from './messages.ts';
import { restoredError, writtenError } from './written-error.ts';

/** How a process serves its agent. */
export interface ServeOptions {
  /** Loads the agent, with the mask for everything that leaves the process. */
  readonly load: (request: Calls['load']['given']) => Promise<{ readonly agent: Agent; readonly mask: SecretMask }>;
  readonly files: LoadedFiles;
  /** Writes a line. It returns when the line is written, so that an agent cannot report faster than it is read. */
  readonly write: (line: string) => void;
}

type Served = { [Name in Method]: (given: Calls[Name]['given'], call: CallContext) => Promise<Calls[Name]['result']> };

interface CallContext {
  readonly signal: AbortSignal;
  /** Sends an event of this call. */
  event(value: Json): void;
}

/** Answers the messages of another process with an agent. @returns A function that takes the next message. */
export function serveAgent({ load, files, write }: ServeOptions): (message: ToAgent) => void {
  const running = new Map<number, AbortController>();
  const sessions = new Map<number, Promise<AgentSession>>();
  const asked = new Map<number, { settle(answer: State): void; fail(error: unknown): void }>();
  let asks = 0;
  let loaded: Agent | null = null;
  let mask: SecretMask = noMask;

  const agent = (): Agent => {
    if (loaded === null) throw new CriteriaError({ code: 'INTERNAL', message: 'the agent is not loaded' });
    return loaded;
  };
  const sessionOf = async ({ session }: { readonly session: number }): Promise<AgentSession> => {
    const found = sessions.get(session);
    if (found === undefined) throw new CriteriaError({ code: 'INTERNAL', message: `there is no session ${session}` });
    return found;
  };
  const post = (message: FromAgent): void => {
    const fresh = files.take();
    if (fresh.length > 0) write(JSON.stringify({ files: fresh } satisfies FromAgent));
    write(sized(message));
  };

  /** Asks the other process for the answer of a simulated tool. */
  const answerFrom = (session: number, toolCall: ToolCall): Promise<State> =>
    new Promise((settle, fail) => {
      const ask = ++asks;
      asked.set(ask, { settle, fail });
      try {
        post({ ask, session, toolCall: mask.json(toolCall) });
      } catch (error) {
        asked.delete(ask);
        fail(error);
      }
    });

  const served: Served = {
    async load(given) {
      const made = await load(given);
      loaded = made.agent;
      mask = made.mask;
      return describeAgent(loaded);
    },
    describe: async (_given, { signal }) => (await agent().describe?.(signal)) ?? null,
    check: async (_given, { signal }) => (await agent().check?.(signal)) ?? [],
    async open({ session, start: sent }, { signal }) {
      const { environment } = sent;
      const answer = (call: ToolCall) => answerFrom(session, call);
      const start = { ...sent, environment: environment && { ...environment, answer } };
      const opening = agent().open(start, signal);
      sessions.set(session, opening);
      opening.catch(() => sessions.delete(session));
      const opened = await opening;
      return {
        id: opened.id,
        changesState: opened.changeState !== undefined,
        hasArtifacts: opened.artifacts !== undefined,
      };
    },
    async send({ session, message, streaming, events }, { signal, event }) {
      const options = { signal, streaming, onEvent: events ? event : undefined };
      return (await sessionOf({ session })).send(message, options);
    },
    state: async (given) => (await sessionOf(given)).state(),
    async changeState({ delta, ...given }) {
      await (await sessionOf(given)).changeState?.(delta);
      return null;
    },
    listArtifacts: async (given) => (await (await sessionOf(given)).artifacts?.list()) ?? [],
    async loadArtifact({ name, version, ...given }) {
      const { artifacts } = await sessionOf(given);
      const all = (await artifacts?.list()) ?? [];
      // The other process knows masked names only.
      const own = all.some((one) => one.name === name) ? name : all.find((one) => mask.text(one.name) === name)?.name;
      const part = await artifacts?.load(own ?? name, version);
      return part ? maskedPart(part, mask) : null;
    },
    async close(given) {
      const session = await sessionOf(given);
      sessions.delete(given.session);
      await session.close();
      return null;
    },
    ping: async () => null,
  };

  return (message) => {
    if ('reply' in message) {
      const waiting = asked.get(message.reply);
      asked.delete(message.reply);
      return 'error' in message ? waiting?.fail(restoredError(message.error)) : waiting?.settle(message.result);
    }
    if ('abort' in message) return running.get(message.abort)?.abort(restoredError(message.reason));
    const { call, method, given } = message;
    const controller = wideController();
    running.set(call, controller);
    const serve = served[method] as (given: object, call: CallContext) => Promise<unknown>;
    const context: CallContext = {
      signal: controller.signal,
      event: (value) => {
        // An agent may report after its turn has ended.
        if (running.has(call)) post({ event: call, value: mask.json(value) });
      },
    };
    (async () => serve(given, context))().then(
      (result) => {
        running.delete(call);
        post({ answer: call, result: method === 'loadArtifact' ? result : mask.json(result) });
      },
      (error: unknown) => {
        running.delete(call);
        post({ answer: call, error: maskedError(error, mask) });
      },
    );
  };
}

/** The description of an agent without its functions. */
function describeAgent(agent: Agent): LoadedDescription {
  const { name, supportsStubs = false, supportsHistory = false, supportsFiles = false } = agent;
  const [canDescribe, canCheck] = [agent.describe !== undefined, agent.check !== undefined];
  return { name, supportsStubs, supportsHistory, supportsFiles, canDescribe, canCheck };
}

function maskedError(error: unknown, mask: SecretMask): WrittenError {
  const written = writtenError(error);
  try {
    return mask.json(written);
  } catch {
    return { message: 'the error cannot be shown: it could not be searched for secrets' };
  }
}

/** Converts a message to a line. A message that is no JSON, or too large, becomes an error of its call. */
function sized(message: FromAgent): string {
  const of = 'answer' in message ? message.answer : 'event' in message ? message.event : null;
  const refused = (why: string): string => {
    if (of === null) throw new Error(why);
    return JSON.stringify({ answer: of, error: { problems: [{ code: 'AGENT_FAILED', message: why }], message: why } });
  };
  let line: string;
  try {
    line = stringifyJson(message);
  } catch (error) {
    return refused(`what the agent reported cannot be sent as JSON: ${(error as Error).message}`);
  }
  // A character takes at most three bytes.
  if (line.length * 3 <= LONGEST_MESSAGE || Buffer.byteLength(line) <= LONGEST_MESSAGE) return line;
  return refused(`what the agent reported is larger than ${LONGEST_MESSAGE / 1024 / 1024} MB`);
}
