import { type Interval, isUnknown, type Unknown } from '../index.ts';

/** The result of a method in one setting. */
export interface Measured {
  readonly method: string;
  readonly setting: string;
  readonly value: number;
  /** From where to where it may lie. */
  readonly allowed: readonly [number, number];
  readonly unit: '%' | 'repeats';
  /** How many samples it was measured on; 0 where it was computed exactly. */
  readonly samples: number;
}

export interface Simulation {
  /** The heading of its table. */
  readonly about: string;
  /** How its table is laid out: the range over all settings, a column for each method, or a row for each number. */
  readonly table: 'ranges' | 'columns' | 'rows';
  /** How many samples the full form draws. */
  readonly samples: number;
  run(samples: number): readonly Measured[];
}

/** Counts how often each method did something, and how often it could have. */
export function createTally() {
  const counts = new Map<string, number>();
  return {
    count: (method: string, did: boolean) => counts.set(method, (counts.get(method) ?? 0) + (did ? 1 : 0)),
    percent: (method: string, samples: number) => (100 * (counts.get(method) ?? 0)) / samples,
  };
}

/** An interval that is unknown holds nothing. */
export function holds(interval: Interval | Unknown, truth: number): boolean {
  return !isUnknown(interval) && interval.low <= truth && truth <= interval.high;
}
