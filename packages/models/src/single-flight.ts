import { onAbort } from '@agent-criteria/calls';
import type { Attempt } from './attempt.ts';

interface Flight<T> {
  readonly answer: Promise<T>;
  readonly controller: AbortController;
  /** The number of callers that are waiting. */
  waiting: number;
}

/** Runs identical concurrent requests once. */
export function singleFlight<T>() {
  const flights = new Map<string, Flight<T>>();

  function begin(key: string, work: Attempt<T>): Flight<T> {
    const controller = new AbortController();
    const flight = { answer: work(controller.signal), controller, waiting: 0 };
    flights.set(key, flight);
    const land = (): void => {
      if (flights.get(key) === flight) flights.delete(key);
    };
    flight.answer.then(land, land);
    return flight;
  }

  return {
    /** `joined` is `true` if another caller started the work, which is aborted once no caller waits any more. */
    run(key: string, work: Attempt<T>, signal: AbortSignal): Promise<{ readonly answer: T; readonly joined: boolean }> {
      if (signal.aborted) return Promise.reject(signal.reason);
      const under = flights.get(key);
      const flight = under ?? begin(key, work);
      flight.waiting += 1;
      return new Promise((resolve, reject) => {
        const forget = onAbort(signal, () => {
          flight.waiting -= 1;
          if (flight.waiting === 0) {
            // Later callers start the work again.
            if (flights.get(key) === flight) flights.delete(key);
            flight.controller.abort(signal.reason);
          }
          reject(signal.reason);
        });
        flight.answer.then((answer) => resolve({ answer, joined: under !== undefined }), reject).finally(forget);
      });
    },
  };
}
