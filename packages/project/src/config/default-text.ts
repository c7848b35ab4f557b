import type { Setting } from './settings/setting.ts';

/** What holds when a setting is not set, as the end of a line of help. */
export function defaultText({ type, default: value, without }: Setting): string {
  if (value === undefined) return `default: ${without}`;
  return `default ${type === 'duration' ? secondsOf(value) : value}`;
}

/** The default of a duration, with its unit: `300s`. */
export function secondsOf(milliseconds: Setting['default']): string {
  return `${Number(milliseconds) / 1000}s`;
}
