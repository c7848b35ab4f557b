import { settingNames } from './settings.ts';
import type { SettingName, Settings } from './settings-type.ts';

type Values = Readonly<Record<string, unknown>>;

/** Returns the value of a setting by its name. */
export function settingOf(values: Settings, name: SettingName): unknown {
  const [key = '', inner] = name.split('.');
  const value = (values as Values)[key];
  if (inner === undefined) return value;
  return typeof value === 'object' && value !== null ? (value as Values)[inner] : undefined;
}

/** Builds settings from named values, leaving out undefined ones. */
export function settingsFrom(values: Iterable<readonly [name: SettingName, value: unknown]>): Settings {
  const all: Record<string, unknown> = {};
  for (const [name, value] of values) {
    if (value === undefined) continue;
    const [key = '', inner] = name.split('.');
    all[key] = inner === undefined ? value : { ...(all[key] as Values | undefined), [inner]: value };
  }
  return all as Settings;
}

/** Overlays settings one by one. An `undefined` value keeps the setting below it. */
export function overlaySettings(below: Settings, over: Settings): Settings {
  return settingsFrom(settingNames.map((name) => [name, settingOf(over, name) ?? settingOf(below, name)]));
}
