import type { Duration } from '@agent-criteria/calls';
import type { Json } from '@agent-criteria/core';
import type { Prices } from '@agent-criteria/results';
import type { CallWatcher } from './call-event.ts';
import type { BudgetLimits } from './spending.ts';

/**
 * The mode of a recording.
 *
 * - `auto`: uses recorded answers, and records the rest.
 * - `record`: requests every answer, and replaces the recorded ones.
 * - `replay`: only uses recorded answers; a missing answer is an error.
 */
export type RecordingMode = 'auto' | 'record' | 'replay';

/** Settings of calls. `maxCalls`, `maxTokens` and `maxCost` apply to all calls together. */
export interface CallPolicyOptions extends BudgetLimits {
  /** How often a call is retried after a temporary failure. Default 6; 0 for never. */
  readonly maxRetries?: number | undefined;
  /** How long one attempt may take. Default `"120s"`. */
  readonly callTimeout?: Duration | undefined;
  readonly concurrency?:
    | {
        /**
         * How many calls run at once, for each model and each service. Default 16. Fewer while a service cannot keep up.
         */
        readonly calls?: number | undefined;
      }
    | undefined;
  /** How many calls may start within any minute, for each model and each service. Default: no limit. */
  readonly requestsPerMinute?: number | undefined;
  /** How many tokens the calls of any minute may take together, for each model. Default: no limit. */
  readonly tokensPerMinute?: number | undefined;
  /** The folder of the cache; `false` for no cache. Default `.agent-criteria/cache` in the working folder. */
  readonly cache?: false | string | undefined;
  /** Default: none. */
  readonly recording?:
    | {
        readonly file: string;
        readonly mode: RecordingMode | 'off';
        readonly label?: string | undefined;
      }
    | undefined;
  readonly prices?: Prices | undefined;
  /** Changes an answer before it is recorded or cached, as in `openRecording`. Stored answers are not changed again. */
  readonly redact?: ((answer: Json) => Json) | undefined;
  /**
   * Whether secrets are masked in an answer before it is recorded or cached: known forms, and the values of variables such
   * as `GEMINI_API_KEY`. Default true.
   */
  readonly maskSecrets?: boolean | undefined;
  readonly onEvent?: CallWatcher | undefined;
}
