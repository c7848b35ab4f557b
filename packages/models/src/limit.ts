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
  /** The maximum, and initial, number of concurrent calls. Default 16. */
  readonly concurrency?: number | undefined;
}

/** The size of a call, for limits on tokens per minute. */
export interface Size<T> {
  /** Returns the size of the request as JSON, in UTF-8 bytes. */
  bytes(): number;
  /** Returns the tokens used, or `null` if the answer does not report them. */
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

/** A call in the queue or in flight. */
interface LimitedCall {
  readonly estimate: TokenEstimate;
  readonly interval: number;
  /** The epoch in which it started. */
  epoch: number;
  started?: StartedCall | undefined;
}

/** The estimate for a call if tokens are not limited. */
const UNCOUNTED: TokenEstimate = { guessed: 0, expected: 0 };

/**
 * Creates a limit that all calls to a model or service share. It adapts: when the service answers "too many" or
 * "overloaded", it is halved (once for all calls that were in flight), and no call starts before the time that the
 * service requests; then it grows by one with every round of answers, up to `concurrency`. First come, first served. A
 * call's tokens are estimated from its text and from earlier calls, and corrected once the answer arrives.
 *
 * @param target The name of the model or service in events.
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
      // Keeping an even pace is not worth an event.
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
     * Makes the attempt when its turn comes. Rejects if the signal aborts first.
     *
     * @param interval The minimum time before the next call may start, in milliseconds. Default 0.
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
 * Resolves in a later turn of the event loop, for one caller per turn. If answers arrive faster than they can be
 * processed, waiting calls are sent first, and the answers are processed while those calls are in flight.
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
