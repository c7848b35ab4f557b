/** A time span: a number of milliseconds, or a string with a unit, such as `"300s"`, `"5m"`, `"1h"` or `"500ms"`. */
export type Duration = number | `${number}${'ms' | 's' | 'm' | 'h'}`;

/** A regular expression for durations with a unit. */
export const DURATION_PATTERN = '^[0-9]+(\\.[0-9]+)?(ms|s|m|h)$';

const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;

/**
 * Converts a duration to milliseconds, rounded up to an integer. A number is returned as is; an invalid string gives
 * `NaN`.
 */
export function toMilliseconds(duration: number | string): number {
  if (typeof duration === 'number') return duration;
  const unit = new RegExp(DURATION_PATTERN).exec(duration)?.[2] as keyof typeof UNITS | undefined;
  return unit === undefined ? Number.NaN : Math.ceil(Number(duration.slice(0, -unit.length)) * UNITS[unit]);
}
