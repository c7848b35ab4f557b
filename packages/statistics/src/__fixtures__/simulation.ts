import { type Interval, isUnknown, type Unknown } from '../index.ts';

/** The result of a method in one setting. */
export interface Measured {
  readonly method: string;
  readonly setting: string;
  readonly value: number;
  /** The range in which the value may lie. */
  readonly allowed: readonly [number, number];
  readonly unit: '%' | 'repeats';
  /** The number of samples it was measured on; 0 if it was computed exactly. */
  readonly samples: number;
}

export interface Simulation {
  /** The heading of the results table. */
  readonly about: string;
  /** The layout of the table: the range over all settings, one column per method, or one row per number. */
  readonly table: 'ranges' | 'columns' | 'rows';
  /** The number of samples drawn in the full simulation. */
  readonly samples: number;
  run(samples: number): readonly Measured[];
}

/** Counts how often each method hit, as a percentage of its samples. */
export function createTally() {
  const counts = new Map<string, number>();
  return {
    count: (method: string, did: boolean) => counts.set(method, (counts.get(method) ?? 0) + (did ? 1 : 0)),
    percent: (method: string, samples: number) => (100 * (counts.get(method) ?? 0)) / samples,
  };
}

/** Whether an interval contains the true value. An unknown interval contains nothing. */
export function holds(interval: Interval | Unknown, truth: number): boolean {
  return !isUnknown(interval) && interval.low <= truth && truth <= interval.high;
}
