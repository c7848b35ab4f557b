import type { Json } from '@agent-criteria/formats';
import type { AnswerSource, LanguageModel } from './language-model.ts';

/**
 * What a criterion or a simulator may use, bound to one unit, criterion and turn.
 *
 * A call that is not made at all (`isCallSkipped`: the budget is spent, a recording lacks the answer) rejects like one that
 * failed. Code that carries on after that may keep asking: its later calls are requested as well, so everything that is missing
 * shows up at once. None of the unit's scores are kept then.
 */
export interface Tools {
  /** Aborts when the run does. An abort is the only error that passes through a criterion. */
  readonly signal: AbortSignal;
  /** `'adk'` when the numbers of ADK Python are wanted, mistakes included. */
  readonly compat: 'adk' | null;
  /** A model by name. `'judge'` always is one. Throws where the run has none by that name. */
  model(name: string): LanguageModel;
  /** Any other paid service, under the same cache, recording, limit and budget as models. */
  call<Request extends Json, Answer extends Json>(
    ask: ServiceCall<Request>,
    send: (request: Request, signal: AbortSignal) => Promise<Answer>,
  ): Promise<{
    readonly answer: Answer;
    readonly from: AnswerSource;
    /** As of `ModelAnswer`. */
    readonly requests?: number | undefined;
  }>;
}

export interface ServiceCall<Request extends Json = Json> {
  /** Names the service in limits, recordings and reports. */
  readonly service: string;
  /** Everything that determines the answer: its hash is the cache key. Holds no secret. */
  readonly request: Request;
  /** From 0. */
  readonly sample?: number | undefined;
  /** How many billable units the call takes. Default 1. */
  readonly units?: number | undefined;
  /**
   * Who answers, where that is not the service itself: the address of a gateway or a proxy. A cache keeps the answers of different
   * endpoints apart; recordings do not. Default: the service itself.
   */
  readonly endpoint?: string | undefined;
  /** When and how often it is made again after a failure. Default: as calls to models are. */
  readonly retries?: ServiceRetries | undefined;
  /** How many calls to the service begin within a second, from all callers: each waits for its turn. Default: no limit. */
  readonly requestsPerSecond?: number | undefined;
  /** Whether a cache may keep the answer: of one that is no opinion it is asked again. Default: it may. A recording keeps all. */
  readonly isCacheable?: ((answer: Json) => boolean) | undefined;
}

/** How a service wants to be asked again. Lost connections and calls that took too long are tried again like those to models. */
export interface ServiceRetries {
  /** The HTTP statuses after which the same call may succeed. After others it is not made again. */
  readonly statuses: readonly number[];
  /** How often it is made again at most, unless the run says another number. */
  readonly maxRetries: number;
  /** Milliseconds to wait when so many attempts, from 1, have failed. A longer wait that the service asks for stands. */
  delay(failed: number): number;
}
