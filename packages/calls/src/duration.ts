/** A time span: a number of milliseconds, or a text with its unit, such as `"300s"`, `"5m"`, `"1h"` or `"500ms"`. */
export type Duration = number | `${number}${'ms' | 's' | 'm' | 'h'}`;

/** The form of a duration with its unit, as a regular expression. */
export const DURATION_PATTERN = '^[0-9]+(\\.[0-9]+)?(ms|s|m|h)$';

const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** Milliseconds of a duration, rounded up to a whole one; a bare number is returned as it is. `NaN` for any other text. */
export function toMilliseconds(duration: number | string): number {
  if (typeof duration === 'number') return duration;
  const unit = new RegExp(DURATION_PATTERN).exec(duration)?.[2] as keyof typeof UNITS | undefined;
  return unit === undefined ? Number.NaN : Math.ceil(Number(duration.slice(0, -unit.length)) * UNITS[unit]);
}
