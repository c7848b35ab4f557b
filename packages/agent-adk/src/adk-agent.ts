import { type Agent, CriteriaError, type State } from '@agent-criteria/core';
import { type AdkModule, type AdkRoot, isApp, isRunnableRoot } from './adk-shapes.ts';
import { describeAgent } from './describe-agent.ts';
import { holdToolsets } from './hold-toolsets.ts';
import { findAdk, importAdk } from './load-adk.ts';
import { openSession } from './open-session.ts';
import { type AdkLogLevel, quietAdk } from './quiet-adk.ts';

/** An agent, an App or a workflow of `@google/adk`, or a function that creates one for each session. */
export type AdkSource = AdkRoot | (() => AdkRoot | Promise<AdkRoot>);

/** Options of an agent of `@google/adk` under test. */
export interface AdkAgentOptions {
  /** The name in results. Default: the name of the agent or App; for a function, its own name, else `adk`. */
  readonly name?: string | undefined;
  /**
   * The file whose `@google/adk` is used: a path or `import.meta.url`. Default: the agent's file if it is known, then
   * the working folder.
   */
  readonly from?: string | undefined;
  /** The module `@google/adk`, for programs that are bundled into one file: `import * as adk from '@google/adk'`. */
  readonly adk?: object | undefined;
  /**
   * The maximum number of model calls in one turn, including those of agents behind tools; one more is an error.
   * Default 50.
   */
  readonly maxLlmCalls?: number | undefined;
  /** More of ADK's `RunConfig`. Its `maxLlmCalls` applies if the option above is absent. */
  readonly runConfig?: object | undefined;
  /**
   * How Gemini's client repeats calls of the agent's model that were refused or failed (408, 429, 5xx): as
   * `httpOptions.retryOptions` of `@google/genai`, delays in seconds. The agent's own config takes precedence. `null`:
   * the client's default. Default: `{ attempts: 7, initialDelay: 2, maxDelay: 60 }`, two to three minutes in all, so
   * that the reason comes before the end of the turn's time.
   */
  readonly retryOptions?: RetryOptions | null | undefined;
  /** The level of ADK's logs on standard error. Default: the variable `AGENT_CRITERIA_ADK_LOG`, else `error`. */
  readonly logLevel?: AdkLogLevel | undefined;
}

/** Retries of failed calls: `HttpRetryOptions` of `@google/genai`. */
export interface RetryOptions {
  /** The number of attempts, including the first. */
  readonly attempts?: number | undefined;
  /** Seconds before the second attempt; the delay then doubles. */
  readonly initialDelay?: number | undefined;
  /** The longest delay in seconds. */
  readonly maxDelay?: number | undefined;
  /** The factor by which each delay grows. Default: the client's. */
  readonly expBase?: number | undefined;
  /** The random part of a delay. Default: the client's. */
  readonly jitter?: number | undefined;
  /** HTTP statuses after which a call is retried. Default: the client's. */
  readonly httpStatusCodes?: number[] | undefined;
}

/**
 * The client draws each delay from one to two times its length: with ADK's 5 and 120, a turn of 300 seconds would time
 * out first.
 */
const RETRIES: RetryOptions = { attempts: 7, initialDelay: 2, maxDelay: 60 };
/** ADK's own limit is 500: a model that calls the same tool for ever would reach it. */
const MAX_LLM_CALLS = 50;

/** Marks agents made by `adkAgent`, so that a loader can pass on the file that they come from. */
export const ADK_SOURCE: unique symbol = Symbol.for('@agent-criteria/agent-adk/source');

/** An agent made by `adkAgent`. */
export interface AdkAgent extends Agent {
  readonly [ADK_SOURCE]: { readonly source: AdkSource; readonly options: AdkAgentOptions };
}

/**
 * An agent of `@google/adk` as an agent under test. Give a function to have a fresh one for each session: agents given
 * as values are shared by all of them, with their toolsets and whatever their tools remember.
 *
 *     export default adkAgent(() => makeAgent(), { maxLlmCalls: 20 });
 *
 * @throws CriteriaError AGENT_NOT_FOUND for a value that is not an agent of ADK, INVALID_CONFIG for options out of
 * range.
 */
export function adkAgent(source: AdkSource, options: AdkAgentOptions = {}): Agent {
  if (typeof source !== 'function') checkRoot(source);
  const { maxLlmCalls, retryOptions = RETRIES, logLevel } = options;
  const runConfig = {
    maxLlmCalls: MAX_LLM_CALLS,
    ...options.runConfig,
    // Left out rather than undefined, which would hide the values before it.
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
