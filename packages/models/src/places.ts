import { onAbort } from '@agent-criteria/calls';
import type { Hold } from './nesting.ts';

/** The place of one call, which it waits for, has, and gives back. */
export interface Place {
  /** Waits for its turn; rejects when the signal aborts first. `undefined`: there is room already. */
  enter(signal: AbortSignal): Promise<void> | undefined;
  /** Gives the place back while calls inside of this one run. */
  hold(signal: AbortSignal): Hold;
  /** May be called again. */
  leave(): void;
}

/** Places for calls that run at once: first come, first served. Calls whose inner calls have ended go before all others. */
export interface Places<Call> {
  placeFor(call: Call): Place;
}

export interface PlacesOptions<Call> {
  /** How many there are at the moment. */
  room(): number;
  /** The first in line wants to begin. @returns 0 when it does, else the milliseconds after which it asks again. */
  begin(call: Call): number;
}

/** A call that waits for its turn, or has had it. */
interface Waiting<Call> {
  readonly call: Call;
  state: 'waiting' | 'running' | 'suspended' | 'returning' | 'ended';
  go(): void;
}

export function openPlaces<Call>({ room, begin }: PlacesOptions<Call>): Places<Call> {
  const line = new Set<Waiting<Call>>();
  /** Calls whose inner calls have ended. */
  const returning = new Set<Waiting<Call>>();
  let running = 0;
  /** Set while the first in line has to wait although there is room. */
  let timer: ReturnType<typeof setTimeout> | undefined;

  function fill(): void {
    clearTimeout(timer);
    timer = undefined;
    while (running < room()) {
      const [back] = returning;
      if (back !== undefined) {
        returning.delete(back);
        start(back);
        continue;
      }
      const [next] = line;
      if (next === undefined) return;
      const wait = begin(next.call);
      if (wait > 0) {
        // Timers fire up to a millisecond early.
        timer = setTimeout(fill, Math.ceil(wait) + 1);
        return;
      }
      line.delete(next);
      start(next);
    }
  }

  function start(place: Waiting<Call>): void {
    running += 1;
    place.state = 'running';
    place.go();
  }

  function enter(place: Waiting<Call>, signal: AbortSignal): Promise<void> | undefined {
    line.add(place);
    if (timer === undefined) fill();
    // Mostly there is room, and nothing to wait for.
    if (place.state === 'running') return undefined;
    return new Promise((resolve, reject) => {
      const forget = onAbort(signal, () => {
        line.delete(place);
        // The next in line may fit where this one did not.
        fill();
        reject(signal.reason);
      });
      place.go = () => {
        forget();
        resolve();
      };
    });
  }

  function holdOf(place: Waiting<Call>, signal: AbortSignal): Hold {
    return {
      suspend() {
        if (place.state === 'returning') {
          returning.delete(place);
          place.state = 'suspended';
          place.go();
        } else if (place.state === 'running') {
          place.state = 'suspended';
          running -= 1;
          fill();
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
          fill();
        });
      },
    };
  }

  function leave(place: Waiting<Call>): void {
    if (place.state === 'running') running -= 1;
    if (place.state === 'returning') {
      returning.delete(place);
      place.go();
    }
    place.state = 'ended';
    fill();
  }

  return {
    placeFor(call) {
      const place: Waiting<Call> = { call, state: 'waiting', go: () => undefined };
      return {
        enter: (signal) => enter(place, signal),
        hold: (signal) => holdOf(place, signal),
        leave: () => leave(place),
      };
    },
  };
}
