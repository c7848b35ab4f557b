import { setImmediate } from 'node:timers';
import { tokenCounts } from '@agent-criteria/results';
import { openAdaptiveConcurrency } from './adaptive-concurrency.ts';
import type { Attempt } from './attempt.ts';
import { emit } from './call-event.ts';
import type { CallPolicyOptions } from './call-policy-options.ts';
import { checkNumbers } from './check-numbers.ts';
import { classifyFailure, type Failure, LONGEST_WAIT } from './classify-failure.ts';
import { callDefaults } from './defaults.ts';
import { openRateWindow, type StartedCall, type WaitReason } from './rate-window.ts';
import { holding } from './reentrancy.ts';
import { openSemaphore } from './semaphore.ts';
import { bytesOf, openTokenEstimates, type TokenEstimate } from './token-estimates.ts';

export interface LimitOptions extends Pick<CallPolicyOptions, 'requestsPerMinute' | 'tokensPerMinute' | 'onEvent'> {
  /** The largest, and first, number of calls that run at once. Default 16. */
  readonly concurrency?: number | undefined;
}

/** The size of a call, for limits of tokens per minute. */
export interface Size<T> {
  /** Bytes of the request as JSON, in UTF-8. */
  bytes(): number;
  /** `null` if the answer does not report its tokens. */
  tokens(answer: T): number | null;
}

export type Limit = ReturnType<typeof openLimit>;

export function sizeOf<T>(request: unknown, usageOf: (answer: T) => unknown): Size<T> {
  return {
    bytes: () => bytesOf(request),
    tokens(answer) {
      const counts = tokenCounts(usageOf(answer));
      return counts === null ? null : counts.inputTokens + counts.outputTokens;
    },
  };
}

/** A call in line or in flight. */
interface LimitedCall {
  readonly estimate: TokenEstimate;
  readonly interval: number;
  /** The epoch in which it started. */
  epoch: number;
  started?: StartedCall | undefined;
}

/** The estimate of a call when tokens have no limit. */
const UNCOUNTED: TokenEstimate = { guessed: 0, expected: 0 };

/**
 * Opens the limit of all calls to a model or service. It adapts: when the service answers "too many" or "overloaded", half as many
 * calls run at once from then on (once for all calls that were in flight), and none starts before the time that the service asks
 * for; then one more for every round of answers, up to `concurrency`. First come, first served. The tokens of a call are estimated
 * from its text and from earlier calls, and corrected when its answer is there.
 *
 * @param target Names the model or service in events.
 * @throws CriteriaError USAGE
 */
export function openLimit(target: string, options: LimitOptions = {}) {
  const { concurrency: most = callDefaults.concurrency.calls, requestsPerMinute, tokensPerMinute, onEvent } = options;
  checkNumbers({ counts: { concurrency: most, requestsPerMinute, tokensPerMinute } });
  const concurrency = openAdaptiveConcurrency(most);
  const rates = openRateWindow({ requestsPerMinute, tokensPerMinute });
  const estimates = openTokenEstimates();
  const permitFor = openSemaphore<LimitedCall>({ limit: concurrency.limit, admit });
  let reported: WaitReason | null = null;

  function admit(call: LimitedCall): number {
    const { estimate, interval } = call;
    const now = performance.now();
    const { wait, reason } = rates.waitFor(estimate.expected, now);
    if (wait > 0) {
      // An even pace is not worth an event.
      if (reason !== null && reported !== reason)
        emit(onEvent, { type: 'waiting', target, wait: Math.ceil(wait), for: reason });
      reported = reason;
      return wait;
    }
    reported = null;
    call.started = rates.start(estimate.expected, interval, now);
    call.epoch = concurrency.epoch();
    return 0;
  }

  function noteAnswer(call: LimitedCall, tokens: number | null): void {
    if (tokensPerMinute !== undefined && call.started !== undefined && tokens !== null) {
      call.started.tokens = tokens;
      estimates.learn(call.estimate, tokens);
    }
    if (concurrency.speedUp()) emit(onEvent, { type: 'recovered', target, concurrency: concurrency.limit(), of: most });
  }

  function noteFailure({ epoch }: LimitedCall, { kind, retryAfter }: Failure): void {
    if (kind !== 'rate-limit' && kind !== 'overload') return;
    if (retryAfter !== undefined && retryAfter <= LONGEST_WAIT) rates.holdUntil(performance.now() + retryAfter);
    if (concurrency.slowDown(epoch))
      emit(onEvent, { type: 'throttled', target, concurrency: concurrency.limit(), of: most });
  }

  return {
    /**
     * Makes the attempt when its turn has come. Rejects when the signal aborts first.
     *
     * @param interval Milliseconds before the next call may start. Default 0.
     */
    async run<T>(attempt: Attempt<T>, signal: AbortSignal, size?: Size<T>, interval = 0): Promise<T> {
      signal.throwIfAborted();
      const estimate = tokensPerMinute === undefined ? UNCOUNTED : estimates.estimate(size?.bytes() ?? 0);
      const call: LimitedCall = { estimate, interval, epoch: concurrency.epoch() };
      const permit = permitFor(call);
      await permit.acquire(signal);
      try {
        signal.throwIfAborted();
        const answer = await holding(permit.suspendable(signal), () => attempt(signal));
        noteAnswer(call, size?.tokens(answer) ?? null);
        permit.release();
        await ownTurn();
        return answer;
      } catch (error) {
        noteFailure(call, classifyFailure(error, signal));
        throw error;
      } finally {
        permit.release();
      }
    },
  };
}

const turns: (() => void)[] = [];

/**
 * Resolves in a later round of the event loop, for one caller a round. If answers arrive faster than they can be
 * processed, waiting calls are sent first, and the answers are processed while those are in flight.
 */
function ownTurn(): Promise<void> {
  return new Promise((resolve) => {
    turns.push(resolve);
    if (turns.length === 1) setImmediate(takeTurn);
  });
}

function takeTurn(): void {
  turns.shift()?.();
  if (turns.length > 0) setImmediate(takeTurn);
}
