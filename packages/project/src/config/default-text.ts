import type { Setting } from './settings/setting.ts';

/** What holds when a setting is not set, as the end of a line of help. Times are in seconds, as flags take them. */
export function defaultText({ type, default: value, without }: Setting): string {
  if (value === undefined) return `default: ${without}`;
  return `default ${type === 'duration' ? Number(value) / 1000 : value}`;
}
