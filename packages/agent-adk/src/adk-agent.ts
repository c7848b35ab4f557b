import { type Agent, CriteriaError, type State } from '@agent-criteria/core';
import { type AdkModule, type AdkRoot, isApp, isRunnableRoot } from './adk-shapes.ts';
import { describeAgent } from './describe-agent.ts';
import { holdToolsets } from './hold-toolsets.ts';
import { findAdk, importAdk } from './load-adk.ts';
import { openSession } from './open-session.ts';
import { type AdkLogLevel, quietAdk } from './quiet-adk.ts';

/** An agent, App or workflow from `@google/adk`, or a function that creates one for each session. */
export type AdkSource = AdkRoot | (() => AdkRoot | Promise<AdkRoot>);

/** Options for an agent from `@google/adk` under test. */
export interface AdkAgentOptions {
  /** The name shown in results. Default: the name of the agent or App; for a function, its own name, or else `adk`. */
  readonly name?: string | undefined;
  /**
   * A file whose copy of `@google/adk` to use, as a path or `import.meta.url`. Default: the agent's file if it is
   * known, then the working directory.
   */
  readonly from?: string | undefined;
  /** The `@google/adk` module, for programs bundled into a single file: `import * as adk from '@google/adk'`. */
  readonly adk?: object | undefined;
  /**
   * The maximum number of model calls in one turn, including calls by agents that tools run. Exceeding it is an error.
   * Default 50.
   */
  readonly maxLlmCalls?: number | undefined;
  /** Further settings for ADK's `RunConfig`. Its `maxLlmCalls` applies if the option above is absent. */
  readonly runConfig?: object | undefined;
  /**
   * How Gemini's client retries the agent's model calls after an error status (408, 429, 5xx), in the format of
   * `httpOptions.retryOptions` from `@google/genai`, with delays in seconds. The agent's own config takes precedence;
   * `null` means the client's defaults. Default: `{ attempts: 7, initialDelay: 2, maxDelay: 60 }`, which gives up after
   * two to three minutes, so that the actual error is reported before the turn times out.
   */
  readonly retryOptions?: RetryOptions | null | undefined;
  /**
   * The level of ADK's logs on standard error. Default: the environment variable `AGENT_CRITERIA_ADK_LOG`, or else
   * `error`.
   */
  readonly logLevel?: AdkLogLevel | undefined;
}

/** How failed calls are retried, as in `HttpRetryOptions` from `@google/genai`. */
export interface RetryOptions {
  /** The number of attempts, including the first. */
  readonly attempts?: number | undefined;
  /** The delay before the second attempt, in seconds. It doubles with each further attempt. */
  readonly initialDelay?: number | undefined;
  /** The maximum delay, in seconds. */
  readonly maxDelay?: number | undefined;
  /** The factor by which each delay grows. Default: the client's. */
  readonly expBase?: number | undefined;
  /** The random part of a delay. Default: the client's. */
  readonly jitter?: number | undefined;
  /** HTTP statuses after which a call is retried. Default: the client's. */
  readonly httpStatusCodes?: number[] | undefined;
}

/**
 * The client stretches each delay by a random factor from one to two. With ADK's values of 5 and 120, a turn of 300
 * seconds would time out first.
 */
const RETRIES: RetryOptions = { attempts: 7, initialDelay: 2, maxDelay: 60 };
/** ADK's own limit of 500 is far too high for a model that calls the same tool forever. */
const MAX_LLM_CALLS = 50;

/** Marks agents created by `adkAgent`, so that a loader can record the file that each comes from. */
export const ADK_SOURCE: unique symbol = Symbol.for('@agent-criteria/agent-adk/source');

/** An agent created by `adkAgent`. */
export interface AdkAgent extends Agent {
  readonly [ADK_SOURCE]: { readonly source: AdkSource; readonly options: AdkAgentOptions };
}

/**
 * Wraps an agent from `@google/adk` as an agent under test. Pass a function to get a fresh agent for each session: an
 * agent passed as a value is shared by all sessions, along with its toolsets and anything its tools remember.
 *
 *     export default adkAgent(() => makeAgent(), { maxLlmCalls: 20 });
 *
 * @throws CriteriaError AGENT_NOT_FOUND if the value is not an ADK agent, INVALID_CONFIG if an option is out of range.
 */
export function adkAgent(source: AdkSource, options: AdkAgentOptions = {}): Agent {
  if (typeof source !== 'function') checkRoot(source);
  const { maxLlmCalls, retryOptions = RETRIES, logLevel } = options;
  const runConfig = {
    maxLlmCalls: MAX_LLM_CALLS,
    ...options.runConfig,
    // Omitted rather than set to `undefined`, which would override the values above.
    ...(maxLlmCalls === undefined ? {} : { maxLlmCalls }),
  };
  checkLimit(runConfig.maxLlmCalls);
  const retries = retryOptions === null ? null : (retryOptions as State);

  async function make(): Promise<AdkRoot> {
    if (typeof source !== 'function') return source;
    const made = await source();
    checkRoot(made);
    return made;
  }

  const agent: AdkAgent = {
    [ADK_SOURCE]: { source, options },
    name: options.name ?? (source.name || 'adk'),
    supportsStubs: true,
    supportsHistory: true,
    // Whether the model takes them is for the model to say.
    supportsFiles: true,
    async open(start, signal) {
      const root = await make();
      const release = await holdToolsets(root, typeof source === 'function');
      try {
        const adk = await moduleFor(root, options);
        quietAdk(adk, logLevel);
        signal.throwIfAborted();
        return await openSession({ adk, root, runConfig, retryOptions: retries, release }, start, signal);
      } catch (error) {
        await release();
        throw error;
      }
    },
    async describe(signal) {
      const root = await make();
      const release = await holdToolsets(root, typeof source === 'function');
      try {
        return await describeAgent(root, signal);
      } finally {
        await release();
      }
    },
  };
  return agent;
}

function checkLimit(maxLlmCalls: number): void {
  if (Number.isInteger(maxLlmCalls) && maxLlmCalls >= 1) return;
  const message = `maxLlmCalls is ${maxLlmCalls}; use a whole number above 0`;
  throw new CriteriaError({ code: 'INVALID_CONFIG', message });
}

async function moduleFor(root: AdkRoot, { adk, from }: AdkAgentOptions): Promise<AdkModule> {
  return adk === undefined ? importAdk(findAdk(from), root) : (adk as AdkModule);
}

function checkRoot(root: unknown): asserts root is AdkRoot {
  if (isApp(root) || isRunnableRoot(root)) return;
  const found = root === null ? 'null' : `a value of type ${typeof root}`;
  const message = `${found} is not an agent of @google/adk: use an LlmAgent or another agent, an App, a Workflow, or a function that returns one`;
  throw new CriteriaError({ code: 'AGENT_NOT_FOUND', message });
}
