// Written by `pnpm reference` from settings.ts: change that, not this file.

import type { Duration } from '@agent-criteria/calls';
import type { Json, LanguageModel, ModelFunction, Plugin } from '@agent-criteria/core';
import type { EvalConfigSource } from '@agent-criteria/core/eval-set';
import type { Prices } from '@agent-criteria/results';

/** The name of a setting. */
export type SettingName =
  | 'plugins'
  | 'models'
  | 'judgeModel'
  | 'prices'
  | 'config'
  | 'variants'
  | 'instruments'
  | 'repeats'
  | 'compat'
  | 'concurrency.agents'
  | 'concurrency.scoring'
  | 'concurrency.calls'
  | 'turnTimeout'
  | 'caseTimeout'
  | 'runTimeout'
  | 'criterionTimeout'
  | 'callTimeout'
  | 'maxRetries'
  | 'requestsPerMinute'
  | 'tokensPerMinute'
  | 'maxCalls'
  | 'maxTokens'
  | 'maxCost'
  | 'cache'
  | 'recording.file'
  | 'recording.mode'
  | 'recording.label'
  | 'runsFolder'
  | 'maskSecrets'
  | 'redact';

/** The name of a setting that a flag or a variable can set. */
export type TextSettingName =
  | 'judgeModel'
  | 'repeats'
  | 'compat'
  | 'concurrency.agents'
  | 'concurrency.scoring'
  | 'concurrency.calls'
  | 'turnTimeout'
  | 'caseTimeout'
  | 'runTimeout'
  | 'criterionTimeout'
  | 'callTimeout'
  | 'maxRetries'
  | 'requestsPerMinute'
  | 'tokensPerMinute'
  | 'maxCalls'
  | 'maxTokens'
  | 'maxCost'
  | 'cache'
  | 'recording.file'
  | 'recording.label'
  | 'runsFolder'
  | 'maskSecrets';

/** Settings, each as a value: of a config, of flags, of options. */
export interface Settings {
  /**
   * Criteria, model providers, user simulators and agent adapters: values, packages, or paths from this file.
   * Default: what the names in use need.
   */
  readonly plugins?: readonly (string | Plugin)[] | undefined;
  /**
   * Models by the names that criteria and simulated users ask for: a model, a function from prompt to answer, or a
   * name that a provider understands. Default: none.
   */
  readonly models?: Readonly<Record<string, LanguageModel | ModelFunction | string>> | undefined;
  /**
   * The model that judges: a name in models, or one that a provider understands, such as gemini-2.5-pro or
   * ollama/qwen3; a flag or variable also replaces the judges that eval configs and cases name. Default:
   * `gemini-2.5-flash`.
   */
  readonly judgeModel?: string | undefined;
  /**
   * What models cost: by the id of a model, then by the name under which it reports usage. Default: costs are
   * unknown.
   */
  readonly prices?: Prices | undefined;
  /**
   * What eval sets without a test_config.json are judged by: an eval config, or the path of one from this file.
   * Default: ADK's default criteria.
   */
  readonly config?: string | EvalConfigSource | undefined;
  /**
   * Agents that run side by side where no agent is named: paths or URLs by the names of the variants, each as AGENT
   * or AGENT#EXPORT; paths start at this file. Default: none.
   */
  readonly variants?: Readonly<Record<string, string>> | undefined;
  /**
   * What is known of the judges: files that agent-criteria calibrate and agent-criteria noise wrote with --output;
   * paths start at this file. Default: none.
   */
  readonly instruments?: readonly string[] | undefined;
  /**
   * How often each case runs, each time in a fresh session; auto:MAX stops a case as soon as it is clear whether it
   * passes as often as the gate case_pass_rate asks (auto alone is auto:60). Default: 1.
   */
  readonly repeats?: number | 'auto' | `auto:${number}` | undefined;
  /** The numbers of ADK Python, including its quirks; verdicts follow the same rules. Default: our own numbers. */
  readonly compat?: 'adk' | undefined;
  readonly concurrency?:
    | {
        /** How many sessions are open at once. Default: 4. */
        readonly agents?: number | undefined;
        /** How many conversations are scored at once. Default: 16. */
        readonly scoring?: number | undefined;
        /** How many calls to one model run at once, at most: fewer while it refuses some. Default: 16. */
        readonly calls?: number | undefined;
      }
    | undefined;
  /** How long one turn may take, such as `"5m"`; a bare number is in milliseconds. Default: `"300s"`. */
  readonly turnTimeout?: Duration | undefined;
  /**
   * How long one case may take, each repeat by itself, such as `"5m"`; a bare number is in milliseconds. Default: no
   * limit.
   */
  readonly caseTimeout?: Duration | undefined;
  /** How long the whole run may take, such as `"5m"`; a bare number is in milliseconds. Default: no limit. */
  readonly runTimeout?: Duration | undefined;
  /**
   * How long a criterion may take for one turn or conversation, not counting calls to models and services, such as
   * `"5m"`; a bare number is in milliseconds. Default: `"300s"`.
   */
  readonly criterionTimeout?: Duration | undefined;
  /**
   * How long one call to a judge, a simulated user or a paid service may take, such as `"5m"`; a bare number is in
   * milliseconds. Default: `"120s"`.
   */
  readonly callTimeout?: Duration | undefined;
  /** How often a call is retried after a rate limit, an overload or a network failure. Default: 6. */
  readonly maxRetries?: number | undefined;
  /** How many calls to one model may begin within a minute. Default: no limit. */
  readonly requestsPerMinute?: number | undefined;
  /** How many tokens may be sent to and received from one model within a minute. Default: no limit. */
  readonly tokensPerMinute?: number | undefined;
  /** Ends the run after this many calls, retries included; it can be resumed with more. Default: no limit. */
  readonly maxCalls?: number | undefined;
  /** Ends the run after this many tokens, sent and received together. Default: no limit. */
  readonly maxTokens?: number | undefined;
  /** Ends the run at this cost, in the currency of prices, which must then name every model. Default: no limit. */
  readonly maxCost?: number | undefined;
  /**
   * The folder where answers of judges and other paid services are cached for later runs; false: no cache. Default:
   * `.agent-criteria/cache`.
   */
  readonly cache?: false | string | undefined;
  readonly recording?:
    | {
        /**
         * A file of answers, to be committed: FILE:record asks for every answer and keeps it, FILE:replay takes every
         * answer from the file (no key is needed, and a missing answer ends the run), FILE:auto asks for what is missing;
         * :MODE alone keeps the file of the config. Default: none.
         */
        readonly file?: string | undefined;
        /**
         * Replay: every answer comes from the recording, and a missing one ends the run; record: every answer is
         * requested and recorded; auto: missing answers are requested and added; off: the recording is not used. Default:
         * `auto`.
         */
        readonly mode?: 'off' | 'auto' | 'record' | 'replay' | undefined;
        /** The label of a new recording, such as "a scripted judge". Default: nothing. */
        readonly label?: string | undefined;
      }
    | undefined;
  /** Where runs are saved. Default: `.agent-criteria/runs`. */
  readonly runsFolder?: string | undefined;
  /**
   * Whether secrets are masked in everything that is saved and judged: known forms, such as bearer tokens and API
   * keys, and the values of variables named like a secret. Default: `true`.
   */
  readonly maskSecrets?: boolean | undefined;
  /** A function that changes everything that a run saves before it is written. Default: nothing is changed. */
  readonly redact?: ((value: Json, kind: 'case' | 'inference' | 'scores' | 'call') => Json) | undefined;
}
