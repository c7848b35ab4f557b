import { CriteriaError, type Problem } from '@agent-criteria/core';
import { type CallWatcher, emit } from './call-event.ts';
import { classifyFailure, type FailureKind } from './classify-failure.ts';

/**
 * So many calls in a row have to fail with all their retries, and so many attempts of theirs, before what they ask counts as
 * down: three calls with the six retries of the default, twenty where there are none. One bad answer in two would come to
 * that once in a million calls.
 */
const CALLS_IN_A_ROW = 3;
const ATTEMPTS_IN_A_ROW = 20;
/**
 * A service that has never answered counts as down sooner: so many milliseconds after its first failure, once as many attempts of as many calls
 * have failed. A server that starts, or refuses some calls, is given all retries.
 */
const SILENT_FOR = 20_000;
/** Milliseconds until one call finds out whether it is back. */
const PAUSE = 60_000;

/** Failures that say something of the service, and would meet any other call too. */
const DOWN: ReadonlySet<FailureKind> = new Set(['overload', 'server', 'network', 'timeout', 'unreadable']);
/** Failures after which no answer is to be expected soon. An overloaded service only asks for time. */
const BROKEN: ReadonlySet<FailureKind> = new Set(['server', 'network', 'timeout', 'unreadable']);
/** Refusals: the service is up and answers. A rate limit passes by itself. */
const THERE: ReadonlySet<FailureKind> = new Set(['bad-request', 'rate-limit', 'quota', 'auth', 'not-found']);

/** What a call has to observe on its way. */
export interface Pass {
  /** It finds out whether the service is back: one attempt is enough. */
  readonly isProbe: boolean;
  /** Aborts when the service is found to be down: then no attempt is worth waiting for. */
  readonly down: AbortSignal;
  /** Makes one attempt of the call. @throws CriteriaError CALL_FAILED where the service is down by now. */
  attempt<T>(make: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

/** Spares calls to a model or a service that is down. */
export interface CircuitBreaker {
  /**
   * Makes the call, or rejects at once with a CriteriaError CALL_FAILED that says what is down and why. After a pause, one call at
   * a time is let through; once one succeeds, or is refused for what it asks, all are made again.
   */
  run<T>(call: (pass: Pass) => Promise<T>, signal: AbortSignal): Promise<T>;
  /** What readers of the results should know. */
  warnings(): readonly Problem[];
}

interface Outage {
  readonly error: CriteriaError;
  until: number;
  isProbed: boolean;
}

/** @param to Names the model or the service in messages. */
export function openCircuitBreaker(target: string, onEvent?: CallWatcher): CircuitBreaker {
  const row = { calls: 0, attempts: 0 };
  let down = new AbortController();
  let outage: Outage | null = null;
  /** The failures since the first, as long as nothing was ever answered; `null`: something was. */
  let silence: { since: number; attempts: number; readonly calls: Set<object> } | null = {
    since: 0,
    attempts: 0,
    calls: new Set(),
  };
  let spared = 0;
  let told = '';

  function isThere(): void {
    silence = null;
    Object.assign(row, { calls: 0, attempts: 0 });
    if (outage !== null) down = new AbortController();
    outage = null;
  }

  function hasFailed(error: unknown, attempts: number, isProbe: boolean): void {
    if (outage !== null) {
      if (isProbe) outage.until = performance.now() + PAUSE;
      return;
    }
    row.calls += 1;
    row.attempts += attempts;
    if (row.calls < CALLS_IN_A_ROW || row.attempts < ATTEMPTS_IN_A_ROW) return;
    isDown(`${row.calls} calls in a row failed (${row.attempts} attempts)`, error);
  }

  function attemptFailed(call: object, error: unknown, signal: AbortSignal): void {
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
    isDown(`it never answered, and ${attempts} attempts of ${calls.size} calls failed`, error);
  }

  function isDown(how: string, error: unknown): void {
    told = classifyFailure(CriteriaError.is(error) ? (error.cause ?? error) : error).message;
    const message = `${target} is down: ${how}, the last with: ${told}. No calls are made to it for the next ${PAUSE / 1000} seconds; resume the run when it answers again`;
    outage = {
      // Without the cause: a limit would take each call that is spared for one more that the service could not serve.
      error: new CriteriaError({ code: 'CALL_FAILED', message }),
      until: performance.now() + PAUSE,
      isProbed: false,
    };
    emit(onEvent, { type: 'down', target, wait: PAUSE, reason: told });
    down.abort(outage.error);
  }

  return {
    async run(call, signal) {
      signal.throwIfAborted();
      const isProbe = outage !== null;
      if (outage !== null) {
        if (outage.isProbed || performance.now() < outage.until) {
          spared += 1;
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
          attemptFailed(own, error, given);
          throw error;
        }
      };
      try {
        const answer = await call({ isProbe, down: down.signal, attempt });
        isThere();
        return answer;
      } catch (error) {
        const { kind } = classifyFailure(error, signal);
        if (error === outage?.error) spared += 1;
        else if (DOWN.has(kind)) hasFailed(error, attempts, isProbe);
        else if (THERE.has(kind)) isThere();
        throw error;
      } finally {
        if (isProbe && outage !== null) outage.isProbed = false;
      }
    },
    warnings() {
      if (spared === 0) return [];
      const calls = spared === 1 ? '1 call to it was' : `${spared} calls to it were`;
      const message = `${target} was down (${told}): ${calls} given up, so some scores could not be judged. Resume the run when it answers again`;
      return [{ code: 'CALL_FAILED', message }];
    },
  };
}
