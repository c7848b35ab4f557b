import type { Json } from '@agent-criteria/formats';
import type { AnswerSource, LanguageModel } from './language-model.ts';

/**
 * Access to models and services for a criterion or a simulator, bound to one unit, criterion and turn.
 *
 * A call that is skipped (see `isCallSkipped`: the budget is spent, or a recording lacks the answer) rejects like a
 * failed one. The caller may continue; its later calls are noted too, so that everything missing is reported at once.
 * None of the unit's scores are then stored.
 */
export interface Tools {
  /**
   * Aborts with the run, or when the criterion's time is up. The run's abort is the only error that propagates through
   * a criterion.
   */
  readonly signal: AbortSignal;
  /** `'adk'`: reproduce the numbers of ADK for Python, including its mistakes. */
  readonly compat: 'adk' | null;
  /** Returns a model by name; `'judge'` is the run's judge. Throws if the run has no such model. */
  model(name: string): LanguageModel;
  /** Calls any other paid service, under the same cache, recordings, limits and budget as models. */
  call<Request extends Json, Answer extends Json>(
    ask: ServiceCall<Request>,
    send: (request: Request, signal: AbortSignal) => Promise<Answer>,
  ): Promise<{
    readonly answer: Answer;
    readonly from: AnswerSource;
    /** See `ModelAnswer`. */
    readonly requests?: number | undefined;
  }>;
}

export interface ServiceCall<Request extends Json = Json> {
  /** The service's name in limits, recordings and reports. */
  readonly service: string;
  /** Everything that determines the answer. It is part of the cache key, and contains no secrets. */
  readonly request: Request;
  /** From 0. */
  readonly sample?: number | undefined;
  /** The number of billable units. Default 1. */
  readonly units?: number | undefined;
  /**
   * The address of a gateway or proxy that answers instead of the service. Caches keep the answers of different
   * endpoints apart; recordings do not. Default: the service itself.
   */
  readonly endpoint?: string | undefined;
  /** When and how often a failed call is retried. Default: as for calls to models. */
  readonly retries?: ServiceRetries | undefined;
  /**
   * The maximum number of calls per second to the service, across all callers; further calls wait. Default: no limit.
   */
  readonly requestsPerSecond?: number | undefined;
  /**
   * Whether a cache may store the answer; if not, the next identical request is sent again. Default: it may. A
   * recording stores all answers.
   */
  readonly isCacheable?: ((answer: Json) => boolean) | undefined;
}

/** Retry rules for a service. Lost connections and time-outs are retried as for models. */
export interface ServiceRetries {
  /** The HTTP statuses that are retried. Other statuses are not. */
  readonly statuses: readonly number[];
  /** The maximum number of retries, unless the run sets another. */
  readonly maxRetries: number;
  /**
   * Returns the milliseconds to wait after this number of failed attempts, counted from 1. If the service asks for a
   * longer wait, that applies.
   */
  delay(failed: number): number;
}
