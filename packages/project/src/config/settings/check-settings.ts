import { CriteriaError, didYouMean } from '@agent-criteria/core';
import { isObject } from '@agent-criteria/formats';
import { formatPath } from '@agent-criteria/formats/schema';
import { type Mistake, mistakesOf, shown } from './check-setting.ts';
import { mistakesInText, textSettingOf } from './setting-texts.ts';
import { settingNames, settings } from './settings.ts';
import type { SettingName } from './settings-type.ts';

/**
 * Finds the mistakes in an object of settings: unknown keys and invalid values. Ignores undefined values.
 *
 * @param more Other allowed keys, which are not checked.
 * @param texts Whether a string may combine several settings under one key, such as `"recording": "FILE:MODE"`.
 */
export function mistakesInSettings(
  value: unknown,
  path: string,
  names: readonly SettingName[],
  { more = [], texts = false }: { readonly more?: readonly string[]; readonly texts?: boolean } = {},
): readonly Mistake[] {
  return mistakesIn(value, path, { names, prefix: '', more, texts });
}

/**
 * Rejects the settings that the command would reject as flags: invalid values and unknown keys.
 * @throws CriteriaError USAGE with every mistake.
 */
export function checkSettings(given: unknown): void {
  const mistakes = mistakesInSettings(given, 'settings', settingNames);
  if (mistakes.length === 0) return;
  throw new CriteriaError(mistakes.map(([path, message]) => ({ code: 'USAGE', message: `${path}: ${message}` })));
}

/** Returns the first mistake in the value of a setting, or `null` if the command would accept it. */
export function mistakeInSetting(name: SettingName, value: unknown): string | null {
  return mistakesOf(settings[name], value, name).map(([, message]) => message)[0] ?? null;
}

interface Group {
  readonly names: readonly SettingName[];
  /** The common prefix of their names, such as `recording.`. */
  readonly prefix: string;
  readonly more: readonly string[];
  readonly texts: boolean;
}

function mistakesIn(value: unknown, path: string, group: Group): readonly Mistake[] {
  const { names, prefix, more } = group;
  const known = keysOf(group);
  if (!isObject(value)) return [[path, `must be an object with ${known.join(', ')}, not ${shown(value)}`]];
  return Object.entries(value).flatMap(([key, item]): readonly Mistake[] => {
    const here = formatPath([key], path);
    if (!known.includes(key)) return [[here, unknownKey(key, group)]];
    if (item === undefined || more.includes(key)) return [];
    const name = names.find((candidate) => candidate === prefix + key);
    if (name !== undefined) return mistakesOf(settings[name], item, here);
    const text = group.texts ? textSettingOf(prefix + key) : undefined;
    if (text !== undefined && !isObject(item)) return mistakesInText(text, item, here);
    const inner = `${prefix}${key}.`;
    const within = names.filter((one) => one.startsWith(inner));
    return mistakesIn(item, here, { names: within, prefix: inner, more: [], texts: false });
  });
}

function keysOf({ names, prefix, more }: Group): readonly string[] {
  const keys = names.map((name) => name.slice(prefix.length).split('.')[0] ?? name);
  return [...more, ...new Set(keys)];
}

function unknownKey(key: string, group: Group): string {
  const hint = didYouMean(key, keysOf(group));
  const elsewhere =
    hint === '' && group.prefix === '' ? group.names.find((name) => name.split('.')[1] === key) : undefined;
  if (elsewhere !== undefined) return `unknown key "${key}"; did you mean "${elsewhere}"?`;
  return `unknown key "${key}"${hint === '' ? `; known are ${keysOf(group).join(', ')}` : hint}`;
}
