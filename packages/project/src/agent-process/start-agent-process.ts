import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { onAbort } from '@agent-criteria/calls';
import {
  type Agent,
  type AgentSession,
  CriteriaError,
  type Json,
  type Part,
  type SessionStart,
} from '@agent-criteria/core';
import type { ToolEnvironment } from '@agent-criteria/core/host';
import { noMask, type SecretMask } from '@agent-criteria/masking';
import { type FileHashes, hashOfFile } from '../files/file-hashes.ts';
import { lineReader } from './lines.ts';
import { maskedPart } from './masked-part.ts';
import {
  ANSWERS,
  type Calls,
  type FromAgent,
  LONGEST_MESSAGE,
  MESSAGES_VERSION,
  type Method,
  MOST_EVENT_BYTES,
  REQUESTS,
  type ToAgent,
} from './messages.ts';
import { restoredError, writtenError } from './written-error.ts';

export interface AgentProcessOptions {
  /** The module or folder of the agent, relative to the working folder. */
  readonly path: string;
  /** The name that selects the agent from its module. Default: the module's agent. */
  readonly agentName?: string | undefined;
  /** Whether the project's config has agent adapters, so that the process has to load it. Default `false`. */
  readonly usesProjectPlugins?: boolean | undefined;
  /** The eval set files whose configs have agent adapters. Default: none. */
  readonly evalSets?: readonly string[] | undefined;
  /** Whether the process masks secrets in everything that it sends. Default `true`. */
  readonly maskSecrets?: boolean | undefined;
  /** The variables of the process. Its `.env` files are added there. Default `process.env`. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** Masks what arrives, which the process has masked before by its own variables. Default: nothing more is masked. */
  readonly mask?: SecretMask | undefined;
  /**
   * Milliseconds that an aborted call may take to end, and that the process may take afterwards to show that its event loop is
   * free. Default 3,000.
   */
  readonly grace?: number | undefined;
  /** The port of 127.0.0.1 for a debugger, or 0 for a free one. Default: one only if this process has a debugger. */
  readonly inspect?: number | undefined;
  /** Called when the agent has loaded files that it had not loaded before. */
  readonly onFiles?: (() => void) | undefined;
}

/** An agent in a process of its own. */
export interface AgentProcess {
  /** The agent: its sessions, turns and errors are those of the process. */
  readonly agent: Agent;
  /** The files that it has imported or read so far, below the project, with the hash of what they contained then. */
  readonly files: FileHashes;
  /** Resolves when the process has ended, for whatever reason, with the reason in words. */
  readonly ended: Promise<string>;
  /** Ends the process. Calls in flight fail. */
  close(): Promise<void>;
}

/** Milliseconds that a process may take to end by itself. */
const END = 1000;

const child = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? './child.ts' : './agent-process-child.js', import.meta.url),
);

/**
 * Starts a process and loads the agent of a module there. An agent that exits, hangs, leaks or floods ends its own process only: its
 * calls fail with the reason.
 *
 * @throws CriteriaError as `loadAgent` does; AGENT_FAILED if the process ends while the agent is loaded.
 */
export async function startAgentProcess(options: AgentProcessOptions): Promise<AgentProcess> {
  const { path, agentName, usesProjectPlugins = false, evalSets = [], maskSecrets = true } = options;
  const started = spawn(process.execPath, [...nodeOptions(options.inspect), child, path], {
    // Standard output of this process may be a report.
    stdio: ['ignore', 2, 2, 'pipe', 'pipe'],
    env: (options.environment ?? process.env) as NodeJS.ProcessEnv,
    windowsHide: true,
  });
  const connection = connect(started, options);
  const { call, files, ended, close } = connection;
  try {
    const request = { version: MESSAGES_VERSION, path, agentName, usesProjectPlugins, evalSets, maskSecrets };
    const loaded = await call('load', request);
    return { agent: agentOf(loaded, connection), files, ended, close };
  } catch (error) {
    // The agent may hold what the next process needs.
    await close();
    throw Object.assign(error as Error, { loadedFiles: files });
  }
}

/** The files that an agent had loaded when it failed to load, so that a change of them can be waited for. */
export function filesOfFailure(error: unknown): FileHashes {
  const { loadedFiles } = error as { readonly loadedFiles?: FileHashes };
  return loadedFiles ?? new Map();
}

/** Options of this process for a process of the same kind. A debugger listens on a port of its own. */
function nodeOptions(inspect: number | undefined): string[] {
  const own = process.execArgv.filter((option) => !/^--(?:inspect|input-type|eval|print|test)|^-[ep]/.test(option));
  const isInspected = process.execArgv.some((option) => option.startsWith('--inspect'));
  const port = inspect ?? (isInspected ? 0 : null);
  return port === null ? own : [...own, `--inspect=127.0.0.1:${port}`];
}

interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onEvent?: ((event: Json) => void) | undefined;
}

type Connection = ReturnType<typeof connect>;

interface Waiting {
  readonly method: Method;
  readonly onEvent: ((event: Json) => void) | undefined;
  /** The bytes of its events so far. */
  bytes: number;
  settle(result: unknown): void;
  fail(error: unknown): void;
}

/** Connects to a started process. */
function connect(started: ChildProcess, { mask = noMask, grace = 3000, onFiles }: AgentProcessOptions) {
  const requests = started.stdio[REQUESTS] as Writable;
  const answers = started.stdio[ANSWERS] as Readable;
  const waiting = new Map<number, Waiting>();
  const files = new Map<string, string | null>();
  const environments = new Map<number, ToolEnvironment>();
  let calls = 0;
  let why: string | null = null;

  const ended = new Promise<string>((settle) => {
    const end = (reason: string): void => {
      why ??= reason;
      for (const { fail } of waiting.values()) fail(failed(why));
      waiting.clear();
      settle(why);
    };
    started.once('error', (error) => end(`its process cannot be started: ${error.message}`));
    // Answers that were written before the end arrive first.
    started.once('close', (code, signal) => end(reasonOfEnd(code, signal)));
  });
  const kill = (reason: string): void => {
    why ??= reason;
    started.kill('SIGKILL');
  };
  const maskedArtifact = (part: unknown): unknown => (part === null ? null : maskedPart(part as Part, mask));
  const take = (message: FromAgent, bytes: number): void => {
    if ('files' in message) {
      for (const file of message.files) files.set(file, hashOfFile(file));
      onFiles?.();
      return;
    }
    if ('ask' in message) return void reply(message);
    const call = waiting.get('answer' in message ? message.answer : message.event);
    if (call === undefined) return;
    if ('event' in message) {
      call.bytes += bytes;
      if (call.bytes <= MOST_EVENT_BYTES) call.onEvent?.(mask.json(message.value));
      else kill(`its events of one turn are larger than ${MOST_EVENT_BYTES / 1024 / 1024} MB`);
      return;
    }
    waiting.delete(message.answer);
    if ('error' in message) call.fail(restoredError(mask.json(message.error)));
    else call.settle(call.method === 'loadArtifact' ? maskedArtifact(message.result) : mask.json(message.result));
  };
  /** Answers a call of a simulated tool. Models are called in this process, under the policies of the run. */
  const reply = async ({ ask, session, toolCall }: Extract<FromAgent, { ask: number }>): Promise<void> => {
    try {
      const environment = environments.get(session);
      if (environment === undefined) throw failed(`the session ${session} has no environment`);
      post({ reply: ask, result: await environment.answer(mask.json(toolCall)) });
    } catch (error) {
      post({ reply: ask, error: writtenError(error) });
    }
  };
  const read = lineReader((message, bytes) => take(message as FromAgent, bytes), LONGEST_MESSAGE);
  answers.on('data', (bytes: Uint8Array) => {
    try {
      read(bytes);
    } catch (error) {
      kill(`what its process wrote cannot be read: ${(error as Error).message}`);
    }
  });
  // The process has ended, and says why by itself.
  requests.on('error', () => undefined);
  const post = (message: ToAgent): void => {
    const line = JSON.stringify(message);
    // A character takes at most three bytes. The process would end itself at a longer line.
    if (line.length * 3 > LONGEST_MESSAGE && Buffer.byteLength(line) > LONGEST_MESSAGE) throw tooLarge(line);
    requests.write(`${line}\n`);
  };

  function call<Name extends Method>(
    method: Name,
    given: Calls[Name]['given'],
    { signal, onEvent }: CallOptions = {},
  ): Promise<Calls[Name]['result']> {
    signal?.throwIfAborted();
    if (why !== null) return Promise.reject(failed(why));
    const id = ++calls;
    return new Promise((settle, fail) => {
      let timer: NodeJS.Timeout | undefined;
      const forget =
        signal === undefined
          ? () => undefined
          : onAbort(signal, () => {
              post({ abort: id, reason: writtenError(signal.reason) });
              timer = setTimeout(() => {
                waiting.delete(id);
                fail(signal.reason);
                void killIfBlocked();
              }, grace);
            });
      const over = (end: () => void): void => {
        clearTimeout(timer);
        forget();
        end();
      };
      waiting.set(id, {
        method,
        onEvent,
        bytes: 0,
        settle: (result) => over(() => settle(result as Calls[Name]['result'])),
        fail: (error) => over(() => fail(error)),
      });
      try {
        post({ call: id, method, given } as ToAgent);
      } catch (error) {
        waiting.get(id)?.fail(error);
        waiting.delete(id);
      }
    });
  }

  /** Ends a process whose event loop is blocked, since none of its sessions gets an answer. A turn that only waits blocks none. */
  async function killIfBlocked(): Promise<void> {
    const timer = setTimeout(
      () => kill(`it did not react for ${(2 * grace) / 1000} s after it was stopped, so its process was ended`),
      grace,
    );
    await call('ping', {}).catch(() => undefined);
    clearTimeout(timer);
  }

  async function close(): Promise<void> {
    why ??= 'its process was ended';
    if (started.exitCode !== null || started.signalCode !== null) return void (await ended);
    requests.end();
    const timer = setTimeout(() => started.kill('SIGKILL'), END);
    await ended;
    clearTimeout(timer);
  }

  return { call, files, ended, close, environments };
}

function failed(why: string): CriteriaError {
  return new CriteriaError({ code: 'AGENT_FAILED', message: `the agent has no answer: ${why}` });
}

function tooLarge(line: string): CriteriaError {
  const [size, most] = [Buffer.byteLength(line), LONGEST_MESSAGE].map((bytes) => (bytes / 1024 / 1024).toFixed(1));
  const message = `what is sent to the agent has ${size} MB, and at most ${most} MB can be sent: the message, with the conversation before it, has too many or too large files`;
  return new CriteriaError({ code: 'AGENT_FAILED', message });
}

function reasonOfEnd(code: number | null, signal: NodeJS.Signals | null): string {
  if (signal !== null) return `its process was ended by ${signal}`;
  const perhaps = code === 0 ? ', perhaps by process.exit' : '';
  return `its process ended with exit code ${code}${perhaps}`;
}

let sessions = 0;

/** Makes an agent of a connection. */
function agentOf(loaded: Calls['load']['result'], connection: Connection): Agent {
  const { name, supportsStubs, supportsHistory, supportsFiles, canDescribe, canCheck } = loaded;
  const { call } = connection;
  return {
    name,
    supportsStubs,
    supportsHistory,
    supportsFiles,
    open: (start, signal) => openSession(start, signal, connection),
    ...(canDescribe && { describe: (signal) => call('describe', {}, { signal }) }),
    ...(canCheck && { check: (signal) => call('check', {}, { signal }) }),
  };
}

async function openSession(
  { environment, ...start }: SessionStart,
  signal: AbortSignal,
  { call, environments }: Connection,
): Promise<AgentSession> {
  const session = ++sessions;
  if (environment !== undefined) environments.set(session, environment);
  const sent = { ...start, environment: environment && { unlistedTools: environment.unlistedTools } };
  const opening = call('open', { session, start: sent }, { signal });
  opening.catch(() => environments.delete(session));
  const { id, changesState, hasArtifacts } = await opening;
  return {
    id,
    send: (message, { onEvent, signal: own, streaming } = {}) =>
      call('send', { session, message, streaming, events: onEvent !== undefined }, { signal: own ?? signal, onEvent }),
    state: () => call('state', { session }),
    ...(changesState && {
      changeState: async (delta) => void (await call('changeState', { session, delta })),
    }),
    ...(hasArtifacts && {
      artifacts: {
        list: () => call('listArtifacts', { session }),
        load: (name, version) => call('loadArtifact', { session, name, version }),
      },
    }),
    async close() {
      environments.delete(session);
      await call('close', { session });
    },
  };
}
