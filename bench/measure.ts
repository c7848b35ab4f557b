import { smallest } from './smallest.ts';

/** Does one piece of the work; the first in a round has the number 0. All pieces take about the same time. */
export type Pass = (number: number) => unknown;

export interface RoundsOptions {
  /** Called before each round, untimed, with its number from 0, to create fresh data. */
  readonly prepare?: (round: number) => void;
  /** The number of rounds that count. Default 15. */
  readonly counted?: number;
  /** The number of warm-up rounds before those. Default 3. */
  readonly warmUp?: number;
  /** The minimum time in milliseconds that each contestant works in each round. Default 40. */
  readonly atLeast?: number;
}

/**
 * Lets the contestants work in turn, round after round, each time starting with a different one, so that a machine that
 * slows down affects all of them.
 *
 * @returns the milliseconds per pass, by contestant, one value for each counted round
 */
export async function rounds<Name extends string>(
  contestants: Readonly<Record<Name, Pass>>,
  options: RoundsOptions = {},
): Promise<Record<Name, number[]>> {
  const { prepare } = options;
  const { counted = 15, warmUp = 3, atLeast = 40 } = smallest ? { counted: 1, warmUp: 0, atLeast: 0 } : options;
  const names = Object.keys(contestants) as Name[];
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = 0; round < warmUp + counted; round += 1) {
    prepare?.(round);
    const first = round % names.length;
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      const time = await timePass(contestants[name], atLeast);
      if (round >= warmUp) times[name].push(time);
    }
  }
  return times;
}

async function timePass(pass: Pass, atLeast: number): Promise<number> {
  const start = performance.now();
  for (let number = 0; ; number += 1) {
    await pass(number);
    const elapsed = performance.now() - start;
    if (elapsed >= atLeast) return elapsed / (number + 1);
  }
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Computes each round's time as a multiple of `base`. */
export function ratios(times: readonly number[], base: readonly number[]): number[] {
  return times.map((time, round) => time / base[round]!);
}

/** Formats the median and the interquartile range: `2.1x (2.0-2.3)`. */
export function spread(values: readonly number[], unit = 'x'): string {
  const [low, middle, high] = [0.25, 0.5, 0.75].map((share) => short(quantile(values, share)));
  return `${middle}${unit} (${low}-${high})`;
}

/** Formats the median, the lowest and the highest of a few values: `2.1x (1.9-2.6)`. */
export function range(values: readonly number[], unit = 'x'): string {
  return `${short(median(values))}${unit} (${short(Math.min(...values))}-${short(Math.max(...values))})`;
}

/** Formats a number with about three significant digits. */
export function short(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en-US');
  return value.toFixed(value >= 10 ? 1 : 2);
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)]!;
  return below + (sorted[Math.ceil(place)]! - below) * (place % 1);
}
