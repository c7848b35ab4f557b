import { type Interval, isUnknown, type Unknown } from '@agent-criteria/statistics';
import type { Scale } from '../estimate.ts';

// Numbers in English text.

/** Whether a scale runs from 0 to 1, so that values are shown in percent and differences in points. */
export function isShare({ min, max }: Scale): boolean {
  return min === 0 && max === 1;
}

/** `93%`, `99.7%`, `<0.1%`; `0%` only for 0, and `100%` only for 1. */
export function percentText(share: number): string {
  const percent = share * 100;
  if (share < 1 && percent >= 99.5) return percent >= 99.95 ? '>99.9%' : `${percent.toFixed(1)}%`;
  if (share > 0 && percent <= 0.5) return percent < 0.05 ? '<0.1%' : `${percent.toFixed(1)}%`;
  return `${Math.round(percent)}%`;
}

/** `12 points` for 0.12. */
export function pointsText(size: number): string {
  const points = Math.abs(size * 100);
  const shown = points < 1 && points > 0 ? points.toFixed(1) : String(Math.round(points));
  return `${shown} ${shown === '1' ? 'point' : 'points'}`;
}

/** Formats a number to three significant digits or, from 100, to an integer with thousands separators. */
export function plainText(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && size < 0.001) return value.toPrecision(1);
  if (size >= 1e21) return String(Number(value.toPrecision(3)));
  if (size >= 100) return Math.round(value).toLocaleString('en-US');
  return String(Number(value.toPrecision(3)));
}

/** `93%` or `4.2`. */
export function valueText(value: number, range: Scale): string {
  return isShare(range) ? percentText(value) : plainText(value);
}

/** A share from a config, not rounded: `85.5%`. */
export function writtenPercent(share: number): string {
  return `${Number((share * 100).toPrecision(12))}%`;
}

/** A number from a config, not rounded: `85.5%` or `4.25`. */
export function writtenText(value: number, range: Scale): string {
  if (Math.abs(value) >= 1e21) return String(value);
  return isShare(range) ? writtenPercent(value) : value.toLocaleString('en-US', { maximumSignificantDigits: 12 });
}

/** Formats a number with enough digits to differ from a limit: `89.96%` for a limit of 90%. */
export function distinctText(limit: number, value: number, range: Scale): string {
  const text = valueText(value, range);
  if (value === limit || text !== writtenText(limit, range)) return text;
  return writtenText(Number(value.toPrecision(4)), range);
}

/** Formats an interval as `86 to 97%` or `3.9 to 4.5`, or returns `null` if it is unknown. */
export function intervalText(interval: Interval | Unknown, range: Scale): string | null {
  if (isUnknown(interval)) return null;
  const { low, high } = interval;
  if (!isShare(range)) return `${plainText(low)} to ${plainText(high)}`;
  const [from, to] = [percentText(low), percentText(high)];
  return `${from.endsWith('%') && !/[<>]/.test(from) ? from.slice(0, -1) : from} to ${to}`;
}

/** `p = 0.012`, `p < 0.001`. */
export function pText(p: number): string {
  if (p < 0.001) return 'p < 0.001';
  return `p = ${p >= 0.1 ? Number(p.toFixed(2)) : Number(p.toPrecision(2))}`;
}
