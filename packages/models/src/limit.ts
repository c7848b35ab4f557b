import type { LanguageModel } from '@agent-criteria/core';
import { tokenCounts } from '@agent-criteria/results';
import { onAbort } from './abort.ts';
import type { Attempt } from './attempt.ts';
import { type CallWatcher, tell } from './call-event.ts';
import { checkNumbers } from './check-numbers.ts';
import { classifyFailure, LONGEST_WAIT } from './classify-failure.ts';
import { bytesOf, guessTokens } from './guess-tokens.ts';
import { type Begun, openMinute } from './minute.ts';
import { holding } from './nesting.ts';
import { ownTurn } from './turns.ts';
import { wrapModel } from './wrap-model.ts';

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

/** One limit for all calls to one model or service, whoever makes them. */
export interface Limit {
  /**
   * Makes the attempt when its turn has come. Gives up waiting when the signal aborts.
   *
   * @param interval Milliseconds after which the next one may begin. Default 0.
   */
  run<T>(attempt: Attempt<T>, signal: AbortSignal, size?: Size<T>, interval?: number): Promise<T>;
}

/** The same model under a limit, which other wrappers may share. Put it inside of retries: a call that waits to be retried takes no place. */
export function withLimit(model: LanguageModel, limit: Limit): LanguageModel {
  return wrapModel(model, (request, signal) =>
    limit.run(
      (own) => model.generate(request, own),
      signal,
      sizeOf(request, ({ usage }) => usage),
    ),
  );
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

/** A call that waits for its turn, or has had it. */
interface Place {
  readonly estimate: number;
  readonly interval: number;
  /** Of the answers to "slow down", how many had come when it began. */
  epoch: number;
  /** What it counts in the minute of tokens. */
  begun?: Begun;
  state: 'waiting' | 'running' | 'suspended' | 'returning' | 'ended';
  go(): void;
}

/**
 * A limit that adapts: when the service says "too many" or "overloaded", half as many calls run at once from then on (once for
 * all calls that were under way by then), and nothing begins before the time it asks for; then one more for every round of
 * answers, up to `concurrency`. First come, first served.
 *
 * @param to Names the model or service in events.
 * @throws CriteriaError USAGE
 */
export function openLimit(to: string, options: LimitOptions = {}): Limit {
  const { concurrency: most = 16, requestsPerMinute, tokensPerMinute, onEvent } = options;
  checkNumbers({ counts: { concurrency: most, requestsPerMinute, tokensPerMinute } });
  const requests = requestsPerMinute === undefined ? null : openMinute(requestsPerMinute);
  const tokens = tokensPerMinute === undefined ? null : openMinute(tokensPerMinute);
  const line = new Set<Place>();
  /** Calls whose inner calls have ended: they go first. */
  const returning = new Set<Place>();
  let limit = most;
  let running = 0;
  let epoch = 0;
  /** Answers since the limit changed last. */
  let answered = 0;
  let heldUntil = 0;
  /** When the next call may begin, by the interval of the last one. */
  let paceUntil = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let told: string | null = null;
  /** Tokens that ended calls were guessed to take, and took. */
  const sum = { guessed: 0, taken: 0 };

  function startWaiting(): void {
    clearTimeout(timer);
    timer = undefined;
    while (running < limit) {
      const [back] = returning;
      if (back !== undefined) {
        returning.delete(back);
        start(back);
        continue;
      }
      const [next] = line;
      if (next === undefined) return;
      const now = performance.now();
      if (isHeld(next, now)) return;
      line.delete(next);
      told = null;
      requests?.begin(1, now);
      paceUntil = Math.max(paceUntil, now) + next.interval;
      if (tokens !== null) next.begun = tokens.begin(next.estimate, now);
      next.epoch = epoch;
      start(next);
    }
  }

  function start(place: Place): void {
    running += 1;
    place.state = 'running';
    place.go();
  }

  /** Whether there is more to wait for than room; then a timer is set. */
  function isHeld({ estimate }: Place, now: number): boolean {
    const waits = [
      ['service', heldUntil - now],
      ['requests-per-minute', requests?.waitFor(1, now) ?? 0],
      ['tokens-per-minute', tokens?.waitFor(estimate, now) ?? 0],
    ] as const;
    const [reason, wait] = waits.reduce((longest, one) => (one[1] > longest[1] ? one : longest));
    const pace = paceUntil - now;
    if (wait <= 0 && pace <= 0) return false;
    // Timers fire up to a millisecond early.
    timer = setTimeout(startWaiting, Math.ceil(Math.max(wait, pace)) + 1);
    // An even pace is nothing to tell.
    if (wait > 0 && told !== reason) tell(onEvent, { type: 'waiting', to, wait: Math.ceil(wait), for: reason });
    told = reason;
    return true;
  }

  function slowDown(place: Place, wait: number | undefined): void {
    if (wait !== undefined && wait <= LONGEST_WAIT) heldUntil = Math.max(heldUntil, performance.now() + wait);
    // Calls that had begun before the limit was halved say nothing about the new one.
    if (place.epoch !== epoch) return;
    epoch += 1;
    answered = 0;
    if (limit === 1) return;
    limit = Math.max(1, Math.floor(limit / 2));
    tell(onEvent, { type: 'throttled', to, concurrency: limit, of: most });
  }

  function speedUp(): void {
    answered += 1;
    if (limit >= most || answered < limit) return;
    answered = 0;
    limit += 1;
    tell(onEvent, { type: 'recovered', to, concurrency: limit, of: most });
  }

  /** Waits for a place; rejects when the signal aborts first. */
  function enter(place: Place, signal: AbortSignal): Promise<void> | undefined {
    line.add(place);
    if (timer === undefined) startWaiting();
    // Mostly there is room, and nothing to wait for.
    if (place.state === 'running') return undefined;
    return new Promise((resolve, reject) => {
      const forget = onAbort(signal, () => {
        line.delete(place);
        // The next in line may fit where this one did not.
        startWaiting();
        reject(signal.reason);
      });
      place.go = () => {
        forget();
        resolve();
      };
    });
  }

  /** Gives the place back while calls inside of this one run. */
  function holdOf(place: Place, signal: AbortSignal) {
    return {
      suspend() {
        if (place.state === 'returning') {
          returning.delete(place);
          place.state = 'suspended';
          place.go();
        } else if (place.state === 'running') {
          place.state = 'suspended';
          running -= 1;
          startWaiting();
        }
      },
      resume() {
        if (place.state !== 'suspended' || signal.aborted) return undefined;
        return new Promise<void>((resolve) => {
          const forget = onAbort(signal, () => {
            if (returning.delete(place)) place.state = 'suspended';
            resolve();
          });
          place.go = () => {
            forget();
            resolve();
          };
          place.state = 'returning';
          returning.add(place);
          startWaiting();
        });
      },
    };
  }

  function leave(place: Place): void {
    if (place.state === 'running') running -= 1;
    if (place.state === 'returning') {
      returning.delete(place);
      place.go();
    }
    place.state = 'ended';
    startWaiting();
  }

  return {
    async run(attempt, signal, size, interval = 0) {
      signal.throwIfAborted();
      const guessed = tokens === null ? 0 : guessTokens(size?.bytes() ?? 0);
      const ratio = sum.guessed === 0 ? 1 : sum.taken / sum.guessed;
      const estimate = Math.ceil(guessed * ratio);
      const place: Place = { estimate, interval, epoch, state: 'waiting', go: () => undefined };
      await enter(place, signal);
      try {
        signal.throwIfAborted();
        const answer = await holding(holdOf(place, signal), () => attempt(signal));
        const taken = size?.tokens(answer) ?? null;
        if (place.begun !== undefined && taken !== null) {
          place.begun.amount = taken;
          sum.guessed += guessed;
          sum.taken += taken;
        }
        speedUp();
        leave(place);
        await ownTurn();
        return answer;
      } catch (error) {
        const { kind, retryAfter } = classifyFailure(error, signal);
        if (kind === 'rate-limit' || kind === 'overload') slowDown(place, retryAfter);
        throw error;
      } finally {
        leave(place);
      }
    },
  };
}
