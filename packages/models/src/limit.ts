import { tokenCounts } from '@agent-criteria/results';
import type { Attempt } from './attempt.ts';
import { type CallWatcher, tell } from './call-event.ts';
import { checkNumbers } from './check-numbers.ts';
import { classifyFailure, type Failure, LONGEST_WAIT } from './classify-failure.ts';
import { callDefaults } from './defaults.ts';
import { bytesOf } from './guess-tokens.ts';
import type { Begun } from './minute.ts';
import { holding } from './nesting.ts';
import { openPlaces } from './places.ts';
import { openStartTimes, type WaitReason } from './start-times.ts';
import { openThrottle } from './throttle.ts';
import { openTokenEstimates, type TokenEstimate } from './token-estimates.ts';
import { ownTurn } from './turns.ts';

export interface LimitOptions {
  /** How many calls run at once at most, and at first. Default 16. */
  readonly concurrency?: number | undefined;
  /** How many calls begin within any minute. Default: no limit. */
  readonly requestsPerMinute?: number | undefined;
  /**
   * How many tokens, sent and received, calls of any minute take together. What a call takes is guessed from its text and from
   * the calls before, and put right when its answer is there. Default: no limit.
   */
  readonly tokensPerMinute?: number | undefined;
  readonly onEvent?: CallWatcher | undefined;
}

/** How many tokens a call takes, for limits of tokens per minute. */
export interface Size<T> {
  /** Of the request as JSON, in UTF-8. */
  bytes(): number;
  /** `null`: the answer does not say. */
  tokens(answer: T): number | null;
}

/** One limit for all calls to a model or service, from all callers. */
export interface Limit {
  /**
   * Makes the attempt when its turn has come. Gives up waiting when the signal aborts.
   *
   * @param interval Milliseconds after which the next one may begin. Default 0.
   */
  run<T>(attempt: Attempt<T>, signal: AbortSignal, size?: Size<T>, interval?: number): Promise<T>;
}

export function sizeOf<T>(request: unknown, usageOf: (answer: T) => unknown): Size<T> {
  return {
    bytes: () => bytesOf(request),
    tokens(answer) {
      const counts = tokenCounts(usageOf(answer));
      return counts === null ? null : counts.inputTokens + counts.outputTokens;
    },
  };
}

/** A call as the limit sees it. */
interface LimitedCall {
  readonly estimate: TokenEstimate;
  readonly interval: number;
  /** That of the throttle when it began. */
  epoch: number;
  /** What it counts in the minute of tokens. */
  begun?: Begun | undefined;
}

/** Of a call when tokens have no limit. */
const UNCOUNTED: TokenEstimate = { guessed: 0, expected: 0 };

/**
 * A limit that adapts: when the service says "too many" or "overloaded", half as many calls run at once from then on (once for
 * all calls that were under way by then), and nothing begins before the time it asks for; then one more for every round of
 * answers, up to `concurrency`. First come, first served.
 *
 * @param target Names the model or service in events.
 * @throws CriteriaError USAGE
 */
export function openLimit(target: string, options: LimitOptions = {}): Limit {
  const { concurrency: most = callDefaults.concurrency.calls, requestsPerMinute, tokensPerMinute, onEvent } = options;
  checkNumbers({ counts: { concurrency: most, requestsPerMinute, tokensPerMinute } });
  const throttle = openThrottle(most);
  const times = openStartTimes({ requestsPerMinute, tokensPerMinute });
  const estimates = openTokenEstimates();
  const places = openPlaces<LimitedCall>({ room: throttle.limit, begin });
  let told: WaitReason | null = null;

  function begin(call: LimitedCall): number {
    const { estimate, interval } = call;
    const now = performance.now();
    const { wait, reason } = times.waitFor(estimate.expected, now);
    if (wait > 0) {
      // An even pace is nothing to tell.
      if (reason !== null && told !== reason)
        tell(onEvent, { type: 'waiting', target, wait: Math.ceil(wait), for: reason });
      told = reason;
      return wait;
    }
    told = null;
    call.begun = times.begin(estimate.expected, interval, now);
    call.epoch = throttle.epoch();
    return 0;
  }

  function hasAnswered(call: LimitedCall, taken: number | null): void {
    if (call.begun !== undefined && taken !== null) {
      call.begun.amount = taken;
      estimates.learn(call.estimate, taken);
    }
    if (throttle.speedUp()) tell(onEvent, { type: 'recovered', target, concurrency: throttle.limit(), of: most });
  }

  function hasFailed({ epoch }: LimitedCall, { kind, retryAfter }: Failure): void {
    if (kind !== 'rate-limit' && kind !== 'overload') return;
    if (retryAfter !== undefined && retryAfter <= LONGEST_WAIT) times.holdUntil(performance.now() + retryAfter);
    if (throttle.slowDown(epoch)) tell(onEvent, { type: 'throttled', target, concurrency: throttle.limit(), of: most });
  }

  return {
    async run(attempt, signal, size, interval = 0) {
      signal.throwIfAborted();
      const estimate = tokensPerMinute === undefined ? UNCOUNTED : estimates.estimate(size?.bytes() ?? 0);
      const call: LimitedCall = { estimate, interval, epoch: throttle.epoch() };
      const place = places.placeFor(call);
      await place.enter(signal);
      try {
        signal.throwIfAborted();
        const answer = await holding(place.hold(signal), () => attempt(signal));
        hasAnswered(call, size?.tokens(answer) ?? null);
        place.leave();
        await ownTurn();
        return answer;
      } catch (error) {
        hasFailed(call, classifyFailure(error, signal));
        throw error;
      } finally {
        place.leave();
      }
    },
  };
}
