import type { Trend, TrendPoint } from '@agent-criteria/analysis';

/** The visible part of an axis with its ticks. */
export interface TrendScale {
  readonly low: number;
  readonly high: number;
  readonly ticks: readonly number[];
}

/** Smallest share of a bounded axis that is shown. */
const LEAST = 0.2;
const STEPS = [1, 2, 2.5, 5, 10] as const;

/** Chooses an axis with round numbers that covers all points and intervals. */
export function trendScale({ range, points }: Pick<Trend, 'range' | 'points'>): TrendScale {
  const { min, max } = range;
  const ends = points.flatMap((point) => {
    const own = endsOf(point);
    return point.value === null ? [] : [point.value, ...(own === null ? [] : [own.low, own.high])];
  });
  if (ends.length === 0) return { low: min, high: max ?? min + 1, ticks: [min, max ?? min + 1] };
  let [low, high] = [Math.min(...ends), Math.max(...ends)];
  const least = max === null ? Math.max(Math.abs(high) * LEAST, Number.EPSILON) : (max - min) * LEAST;
  const short = Math.max(0, least - (high - low)) / 2;
  [low, high] = [low - short, high + short];
  const step = stepOf((high - low) / 4);
  const clip = (value: number) => Math.min(max ?? Number.POSITIVE_INFINITY, Math.max(min, value));
  const [from, to] = [clip(Math.floor(low / step) * step), clip(Math.ceil(high / step) * step)];
  const ticks: number[] = [];
  for (let at = Math.ceil(from / step - 1e-9); at * step <= to + step * 1e-9; at += 1) {
    ticks.push(Number((at * step).toPrecision(12)));
  }
  return { low: from, high: to, ticks };
}

export function endsOf({
  interval,
}: Pick<TrendPoint, 'interval'>): { readonly low: number; readonly high: number } | null {
  return 'unknown' in interval ? null : interval;
}

/** Splits points wherever runs are not comparable or have no value. */
export function partsOf(points: readonly TrendPoint[]): readonly (readonly number[])[] {
  const parts: number[][] = [];
  for (const [place, { value, breaks }] of points.entries()) {
    if (value === null) {
      parts.push([]);
      continue;
    }
    const last = parts.at(-1);
    if (last === undefined || breaks.length > 0) parts.push([place]);
    else last.push(place);
  }
  return parts.filter((part) => part.length > 0);
}

function stepOf(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  return (STEPS.find((step) => step * power >= rough - power * 1e-9) ?? 10) * power;
}
