import type { Duration } from '@agent-criteria/calls';
import { type Mistake, mistakesOf, shown } from './check-setting.ts';
import type { Setting, SettingType } from './setting.ts';
import { settingTypes } from './setting-type.ts';
import { settingsFrom } from './setting-values.ts';
import { settingNames, settings } from './settings.ts';
import type { SettingName } from './settings-type.ts';
import { hasUnknownMode, splitRecording } from './split-recording.ts';

/** Parses the text of a flag or a variable. Returns the settings that it contains, or `undefined` if it is invalid. */
export function settingsOfText(
  name: SettingName,
  written: string,
): readonly (readonly [SettingName, unknown])[] | undefined {
  const setting = settings[name];
  const value = readAs(setting.type, written);
  if (value === undefined || mistakesOf(setting, value, name).length > 0) return undefined;
  if (setting.type !== 'recordingFile') return [[name, value]];
  const { file, mode } = splitRecording(written);
  return [
    ...(file === undefined ? [] : [['recording.file', file] as const]),
    ...(mode === undefined ? [] : [['recording.mode', mode] as const]),
  ];
}

/** Describes the text that a flag or a variable accepts. */
export function expectedText(setting: Setting): string {
  const { text, expected } = settingTypes[setting.type];
  return text?.expected ?? expected(setting);
}

function readAs(type: SettingType, written: string): unknown {
  const text = written.trim();
  const number = text === '' ? Number.NaN : Number(text);
  switch (type) {
    case 'whole':
    case 'amount':
      return number;
    case 'repeats':
      return text.startsWith('auto') ? text : number;
    case 'duration':
      // A bare number means seconds in flags and variables. A duration with a unit means the same everywhere.
      return Number.isNaN(number) ? text : (`${Math.ceil(number * 1000)}ms` satisfies Duration);
    case 'switch':
      return written === 'true' ? true : written === 'false' ? false : undefined;
    case 'folderOrFalse':
      return written === 'false' ? false : written;
    case 'recordingFile':
      return text === ':' || hasUnknownMode(written) ? undefined : written;
    default:
      return written;
  }
}

// In a config, several settings may share one key as a string, like their flag: `"recording": "judge.jsonl:replay"`.

/** Finds the setting that may be written as text under this config key. */
export function textSettingOf(key: string): SettingName | undefined {
  return settingNames.find((name) => {
    const { type, textName } = settings[name];
    return type === 'recordingFile' && textName === key && name.startsWith(`${key}.`);
  });
}

/** Finds mistakes in a setting that a config writes as text. */
export function mistakesInText(name: SettingName, written: unknown, path: string): readonly Mistake[] {
  if (typeof written === 'string' && settingsOfText(name, written) !== undefined) return [];
  const object = typeof written === 'string' ? '' : ', or an object';
  return [[path, `must be ${expectedText(settings[name])}${object}, not ${shown(written)}`]];
}

/** Replaces each setting that a config writes as text with the settings that the text contains. */
export function spreadTexts(config: object): object {
  const entries = Object.entries(config).map(([key, value]): [string, unknown] => {
    const name = typeof value === 'string' ? textSettingOf(key) : undefined;
    const spread = name && settingsOfText(name, value);
    return [key, spread ? (settingsFrom(spread) as Readonly<Record<string, unknown>>)[key] : value];
  });
  return Object.fromEntries(entries);
}
