import type { Json, LanguageModel, ModelFunction, Plugin } from '@agent-criteria/core';
import type { EvalConfig } from '@agent-criteria/core/host';
import type { Prices } from '@agent-criteria/results';

/** What `agent-criteria.config.ts` says of a project. Flags and options beat it; it beats defaults. */
export interface ProjectConfig {
  /** Criteria, models, simulators and agent adapters: as values, or named by package or by path from this file. */
  readonly plugins?: readonly (string | Plugin)[] | undefined;
  /** Models by the names that criteria and simulators ask for: a model, a function from prompt to answer, or a name that a registered provider understands. */
  readonly models?: Readonly<Record<string, LanguageModel | ModelFunction | string>> | undefined;
  /** The model that judges: a name of `models`, or one that a registered provider understands. */
  readonly judge?: string | undefined;
  readonly limits?: ProjectLimits | undefined;
  /** What models cost: by the id of a model, then by the name under which it reports what was used. */
  readonly prices?: Prices | undefined;
  /** Where answers of judges and other paid services are kept for the next run, from this file; `false`: nowhere. Default `.agent-criteria/cache`. */
  readonly cache?: false | string | undefined;
  /** Answers that are kept to be committed: runs from them need no key and cost nothing. Default: none. */
  readonly recording?: ProjectRecording | undefined;
  /** What one run may spend on judges, simulated users and other paid services. Answers that were kept cost nothing. */
  readonly budget?: ProjectBudget | undefined;
  /** Where runs are kept, from this file. Default `.agent-criteria/runs` in the working folder. */
  readonly runsFolder?: string | undefined;
  /** Changes what is kept of a run before it is written: names, secrets. Gives JSON of the same shape. */
  readonly redact?: ((value: Json, kind: 'case' | 'inference' | 'scores' | 'call') => Json) | undefined;
  /** What eval sets are judged by that have no `test_config.json` beside them: a config, or the path of one from this file. */
  readonly config?: string | EvalConfig | undefined;
}

export interface ProjectRecording {
  /** JSON Lines, from this file. */
  readonly file: string;
  /**
   * `replay`: every answer comes from the file, and one that is not there ends the run; no key is needed. `record`: every
   * answer is asked for and kept. `auto`: what the file has comes from it, the rest is asked for and added. `off`: the file
   * is left alone. Default `auto`.
   */
  readonly mode?: 'off' | 'auto' | 'record' | 'replay' | undefined;
  /** What a new recording says of itself, as "a scripted judge". Default: nothing. */
  readonly label?: string | undefined;
}

/** A run that has spent it ends, and can be resumed with another. Default of each: no limit. */
export interface ProjectBudget {
  /** How many calls, retries included. */
  readonly maxCalls?: number | undefined;
  /** How many tokens, sent and received together. */
  readonly maxTokens?: number | undefined;
  /** In the currency of `prices`, which must then name every model that is asked. */
  readonly maxCost?: number | undefined;
}

export interface ProjectLimits {
  /** How many sessions are open at once. Default 4. */
  readonly agents?: number | undefined;
  /** How many conversations are scored at once. Default 16. */
  readonly scoring?: number | undefined;
  /** How many calls to one model run at once, at most: fewer while it refuses some. Default 16. */
  readonly calls?: number | undefined;
  /** Milliseconds that one call to a judge, a simulated user or a paid service may take. Default 120,000. */
  readonly callTimeout?: number | undefined;
  /** How often a call is tried again that a rate limit, an overload or the network made fail. Default 6. */
  readonly maxRetries?: number | undefined;
  /** How many calls to one model begin within a minute. Default: no limit. */
  readonly requestsPerMinute?: number | undefined;
  /** How many tokens are sent to and received from one model within a minute. Default: no limit. */
  readonly tokensPerMinute?: number | undefined;
  /** Milliseconds that one turn may take. Default 300,000. */
  readonly turnTimeout?: number | undefined;
  /** Milliseconds that one case may take, all its turns together. Default: no limit. */
  readonly caseTimeout?: number | undefined;
  /** Milliseconds that the whole run may take. Default: no limit. */
  readonly runTimeout?: number | undefined;
}

/** The content of `agent-criteria.config.ts`, completed and checked by the compiler. Gives back what it is given. */
export function defineConfig(config: ProjectConfig): ProjectConfig {
  return config;
}
