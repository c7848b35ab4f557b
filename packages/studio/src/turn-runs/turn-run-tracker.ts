import { isObject } from '@agent-criteria/formats';
import type { RunEvent } from '@agent-criteria/runner';
import type { TurnAnswerKey, TurnProgress, TurnRunChange } from '../api.ts';
import { type AdkEvent, isText, partsOf, withPiece } from '../sessions/event.ts';
import { camelEvent } from '../sessions/event-identity.ts';

export type TurnRunTracker = ReturnType<typeof createTurnRunTracker>;

interface Tracked extends TurnAnswerKey {
  state: TurnProgress['state'];
  resent: number;
  events: readonly AdkEvent[];
  changed: number;
}

/** Follows the events of a turn run, so that pages show answers as they arrive. */
export function createTurnRunTracker(given: {
  /** Position of the turn, from 0. */
  readonly turn: number;
  readonly times: number;
  readonly variants: readonly (string | null)[];
  readonly judged: boolean;
}) {
  const { turn, times, variants, judged } = given;
  const answers: Tracked[] = variants.flatMap((variant) =>
    Array.from({ length: times }, (_, repeat) => ({
      variant,
      repeat,
      state: 'waiting' as const,
      resent: 0,
      events: [],
      changed: 0,
    })),
  );
  const watchers = new Set<() => void>();
  let [version, complete] = [0, 0];
  const touch = (one: Tracked): void => {
    version += 1;
    one.changed = version;
    for (const watcher of watchers) watcher();
  };
  return {
    note(event: RunEvent): void {
      if (event.type === 'case-finished') {
        for (const one of answers) {
          if (one.variant !== (event.result.variant ?? null) || one.state === 'done') continue;
          one.state = 'done';
          complete += 1;
          touch(one);
        }
        return;
      }
      if (!('key' in event)) return;
      const { repeat, variant = null } = event.key;
      const one = answers.find((each) => each.repeat === repeat && each.variant === variant);
      if (one === undefined) return;
      switch (event.type) {
        case 'unit-started':
          one.state = 'running';
          break;
        case 'agent-event':
          if (event.turn !== turn || !isObject(event.event)) return;
          one.events = withPiece(one.events, camelEvent(event.event));
          break;
        case 'turn-finished':
          if (event.turn >= turn) return;
          one.resent = event.turn + 1;
          break;
        case 'unit-inferred':
          one.state = judged ? 'scoring' : 'done';
          complete += 1;
          break;
        case 'unit-scored':
          one.state = 'done';
          complete += 1;
          break;
        default:
          return;
      }
      touch(one);
    },
    /** Whatever has not begun will not. */
    end(): void {
      for (const one of answers) {
        if (one.state !== 'waiting') continue;
        one.state = 'left';
        touch(one);
      }
    },
    version: () => version,
    changedAfter(seen: number): TurnRunChange {
      return {
        answers: answers
          .filter(({ changed }) => changed > seen)
          .map(({ variant, repeat, ...one }) => ({ variant, repeat, ...progressOf(one) })),
        complete,
      };
    },
    progress(key: TurnAnswerKey): TurnProgress | null {
      const one = answers.find(({ repeat, variant }) => repeat === key.repeat && variant === key.variant);
      return one === undefined ? null : progressOf(one);
    },
    watch(watcher: () => void): () => void {
      watchers.add(watcher);
      return () => void watchers.delete(watcher);
    },
  };
}

function progressOf({ state, resent, events }: Pick<Tracked, 'state' | 'resent' | 'events'>): TurnProgress {
  const parts = events.flatMap(partsOf);
  const texts = parts.flatMap((part) => (isText(part) && !part.thought ? [part.text] : []));
  const calls = parts.flatMap((part) =>
    isObject(part) && isObject(part.functionCall) ? [String(part.functionCall.name ?? '')] : [],
  );
  return { state, resent, text: texts.join('\n'), calls };
}
