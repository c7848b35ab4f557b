import { CriteriaError, type Problem } from '@agent-criteria/core';
import { type CallWatcher, emit } from './call-event.ts';
import { classifyFailure, type FailureKind } from './classify-failure.ts';

/**
 * The number of consecutive failed calls, and of their attempts, after which a service counts as down: three calls with
 * the default of six retries, twenty calls without retries. A service that fails half the time reaches these numbers
 * once in a million calls.
 */
const CALLS_IN_A_ROW = 3;
const ATTEMPTS_IN_A_ROW = 20;
/**
 * The time, in milliseconds after its first failure, that a service that has never answered has to start. After that,
 * it counts as down as soon as that many attempts have failed in that many calls, even if retries are left.
 */
const SILENT_FOR = 20_000;
/** The time before a call probes whether the service is back, in milliseconds. */
const PAUSE = 60_000;

/** Failures of the service itself, which would affect any other call. */
const DOWN: ReadonlySet<FailureKind> = new Set(['overload', 'server', 'network', 'timeout', 'unreadable']);
/** Failures after which no answer can be expected soon. An overloaded service only needs time. */
const BROKEN: ReadonlySet<FailureKind> = new Set(['server', 'network', 'timeout', 'unreadable']);
/** Rejected requests, which show that the service is up. A rate limit ends on its own. */
const REFUSED: ReadonlySet<FailureKind> = new Set(['bad-request', 'rate-limit', 'quota', 'auth', 'not-found']);

/** The rules that apply to one call. */
export interface Pass {
  /** Whether the call is a probe, for which one attempt is enough. */
  readonly isProbe: boolean;
  /** Aborts when the service is down, so that no attempt keeps waiting. */
  readonly down: AbortSignal;
  /** Makes one attempt at the call. @throws CriteriaError CALL_FAILED if the service is down by now. */
  attempt<T>(make: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

interface Outage {
  readonly error: CriteriaError;
  until: number;
  isProbed: boolean;
}

/** Creates a circuit breaker for a model or a service. @param target The name used in messages. */
export function openCircuitBreaker(target: string, onEvent?: CallWatcher) {
  const streak = { calls: 0, attempts: 0 };
  let down = new AbortController();
  let outage: Outage | null = null;
  /** The failures of a service that has never answered, or `null` once it has. */
  let silence: { since: number; attempts: number; readonly calls: Set<object> } | null = {
    since: 0,
    attempts: 0,
    calls: new Set(),
  };
  let rejected = 0;
  let reason = '';

  function noteAnswer(): void {
    silence = null;
    Object.assign(streak, { calls: 0, attempts: 0 });
    if (outage !== null) down = new AbortController();
    outage = null;
  }

  function noteFailure(error: unknown, attempts: number, isProbe: boolean): void {
    if (outage !== null) {
      if (isProbe) outage.until = performance.now() + PAUSE;
      return;
    }
    streak.calls += 1;
    streak.attempts += attempts;
    if (streak.calls < CALLS_IN_A_ROW || streak.attempts < ATTEMPTS_IN_A_ROW) return;
    open(`${streak.calls} calls in a row failed (${streak.attempts} attempts)`, error);
  }

  function noteFailedAttempt(call: object, error: unknown, signal: AbortSignal): void {
    if (outage !== null || silence === null) return;
    const { kind } = classifyFailure(error, signal);
    if (kind === 'aborted') return;
    if (!BROKEN.has(kind)) {
      silence = null;
      return;
    }
    const now = performance.now();
    if (silence.attempts === 0) silence.since = now;
    silence.attempts += 1;
    silence.calls.add(call);
    const { attempts, calls, since } = silence;
    if (attempts < ATTEMPTS_IN_A_ROW || calls.size < CALLS_IN_A_ROW || now - since < SILENT_FOR) return;
    open(`it never answered, and ${attempts} attempts of ${calls.size} calls failed`, error);
  }

  function open(how: string, error: unknown): void {
    reason = classifyFailure(CriteriaError.is(error) ? (error.cause ?? error) : error).message;
    const message = `${target} is down: ${how}, the last with: ${reason}. No calls are made to it for the next ${PAUSE / 1000} seconds; resume the run when it answers again`;
    outage = {
      // No cause is set, because a limit would count each call that is not made as another failure of the service.
      error: new CriteriaError({ code: 'CALL_FAILED', message }),
      until: performance.now() + PAUSE,
      isProbed: false,
    };
    emit(onEvent, { type: 'down', target, wait: PAUSE, reason });
    down.abort(outage.error);
  }

  return {
    /**
     * Makes the call, or rejects at once with a CriteriaError CALL_FAILED that names the service and the reason. After
     * a pause, calls are made one at a time; once one succeeds, or its request is rejected by the service, all calls
     * are made again.
     */
    async run<T>(call: (pass: Pass) => Promise<T>, signal: AbortSignal): Promise<T> {
      signal.throwIfAborted();
      const isProbe = outage !== null;
      if (outage !== null) {
        if (outage.isProbed || performance.now() < outage.until) {
          rejected += 1;
          throw outage.error;
        }
        outage.isProbed = true;
      }
      let attempts = 0;
      const own = {};
      const attempt: Pass['attempt'] = async (make, given) => {
        if (!isProbe && outage !== null) throw outage.error;
        attempts += 1;
        try {
          return await make();
        } catch (error) {
          noteFailedAttempt(own, error, given);
          throw error;
        }
      };
      try {
        const answer = await call({ isProbe, down: down.signal, attempt });
        noteAnswer();
        return answer;
      } catch (error) {
        const { kind } = classifyFailure(error, signal);
        if (error === outage?.error) rejected += 1;
        else if (DOWN.has(kind)) noteFailure(error, attempts, isProbe);
        else if (REFUSED.has(kind)) noteAnswer();
        throw error;
      } finally {
        if (isProbe && outage !== null) outage.isProbed = false;
      }
    },
    /** Returns warnings about calls that were not made. */
    warnings(): readonly Problem[] {
      if (rejected === 0) return [];
      const calls = rejected === 1 ? '1 call to it was' : `${rejected} calls to it were`;
      const message = `${target} was down (${reason}): ${calls} given up, so some scores could not be judged. Resume the run when it answers again`;
      return [{ code: 'CALL_FAILED', message }];
    },
  };
}
