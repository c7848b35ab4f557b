import type { Duration } from '@agent-criteria/calls';
import type { Json } from '@agent-criteria/core';
import type { Prices } from '@agent-criteria/results';
import type { CallWatcher } from './call-event.ts';
import type { BudgetLimits } from './spending.ts';

/**
 * The recording mode.
 *
 * - `auto`: uses recorded answers, and records the rest.
 * - `record`: requests every answer, and replaces the recorded ones.
 * - `replay`: only uses recorded answers; a missing answer is an error.
 */
export type RecordingMode = 'auto' | 'record' | 'replay';

/** Settings for calls. `maxCalls`, `maxTokens` and `maxCost` apply to all calls together. */
export interface CallPolicyOptions extends BudgetLimits {
  /** The maximum number of retries after temporary failures; 0 for none. Default: the service's own, or else 6. */
  readonly maxRetries?: number | undefined;
  /** The maximum duration of one attempt. Default `"120s"`. */
  readonly callTimeout?: Duration | undefined;
  readonly concurrency?:
    | {
        /**
         * The maximum number of concurrent calls for each model and each service. Lower while a service cannot keep up.
         * Default 16.
         */
        readonly calls?: number | undefined;
      }
    | undefined;
  /**
   * The maximum number of calls that may start within any minute, for each model and each service. Default: no limit.
   */
  readonly requestsPerMinute?: number | undefined;
  /** The maximum number of tokens that calls may use within any minute, for each model. Default: no limit. */
  readonly tokensPerMinute?: number | undefined;
  /** The cache folder, or `false` for no cache. Default `.agent-criteria/cache` in the working folder. */
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
  /**
   * Changes an answer before it is recorded or cached. It is not applied again to an answer from the cache that was
   * redacted before it was cached.
   */
  readonly redact?: ((answer: Json) => Json) | undefined;
  /**
   * Whether secrets are masked in an answer before it is recorded or cached: known forms, and the values of variables
   * such as `GEMINI_API_KEY`. Default true.
   */
  readonly maskSecrets?: boolean | undefined;
  readonly onEvent?: CallWatcher | undefined;
}
