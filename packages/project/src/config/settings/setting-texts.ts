import { type Mistake, settingTypes, shown } from './setting-type.ts';
import { settingsFrom } from './setting-values.ts';
import { settingNames, settings } from './settings.ts';
import type { SettingName } from './settings-type.ts';

// Several settings under one key may be one text there, as their flag has it: `"recording": "judge.jsonl:replay"`.

/** The setting whose text a key of a config may be; `undefined`: none. */
export function textSettingOf(key: string): SettingName | undefined {
  return settingNames.find((name) => settings[name].textName === key && name.startsWith(`${key}.`) && spreadOf(name));
}

/** What is wrong with such a text. */
export function mistakesInText(name: SettingName, written: unknown, path: string): readonly Mistake[] {
  const { text } = settingTypes[settings[name].type];
  if (typeof written === 'string' && text?.read(written, settings[name]) !== undefined) return [];
  const object = typeof written === 'string' ? '' : ', or an object';
  return [[path, `must be ${text?.expected(settings[name])}${object}, not ${shown(written)}`]];
}

/** A config with the settings that its texts mean. */
export function spreadTexts(config: object): object {
  const entries = Object.entries(config).map(([key, value]): [string, unknown] => {
    const name = typeof value === 'string' ? textSettingOf(key) : undefined;
    const spread = name && spreadOf(name)?.(value);
    return [key, spread ? (settingsFrom(spread) as Readonly<Record<string, unknown>>)[key] : value];
  });
  return Object.fromEntries(entries);
}

function spreadOf(name: SettingName) {
  return settingTypes[settings[name].type].text?.spread;
}
