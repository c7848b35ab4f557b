import { settingNames } from './settings.ts';
import type { SettingName, Settings } from './settings-type.ts';

type Values = Readonly<Record<string, unknown>>;

/** The value of a setting by its name. */
export function settingOf(values: Settings, name: SettingName): unknown {
  const [key = '', inner] = name.split('.');
  const value = (values as Values)[key];
  if (inner === undefined) return value;
  return typeof value === 'object' && value !== null ? (value as Values)[inner] : undefined;
}

/** Settings from values by name; undefined ones are left out. */
export function settingsFrom(values: Iterable<readonly [name: SettingName, value: unknown]>): Settings {
  const all: Record<string, unknown> = {};
  for (const [name, value] of values) {
    if (value === undefined) continue;
    const [key = '', inner] = name.split('.');
    all[key] = inner === undefined ? value : { ...(all[key] as Values | undefined), [inner]: value };
  }
  return all as Settings;
}

/** Settings over others, each by itself: one that is `undefined` leaves what is below. */
export function overlaySettings(below: Settings, over: Settings): Settings {
  return settingsFrom(settingNames.map((name) => [name, settingOf(over, name) ?? settingOf(below, name)]));
}
