import { didYouMean } from '@agent-criteria/core';
import { isObject } from '@agent-criteria/core/host';
import { at, type Mistake, mistakesOf, shown } from './setting-type.ts';
import { settings } from './settings.ts';
import type { SettingName } from './settings-type.ts';

/**
 * Everything wrong with an object of these settings: unknown keys, and values that do not fit. An undefined value is none.
 *
 * @param more Keys that are not settings; they are not looked at.
 */
export function mistakesInSettings(
  value: unknown,
  path: string,
  names: readonly SettingName[],
  more: readonly string[] = [],
): readonly Mistake[] {
  return mistakesIn(value, path, { names, prefix: '', more });
}

interface Group {
  readonly names: readonly SettingName[];
  /** What their names begin with, as `recording.`. */
  readonly prefix: string;
  readonly more: readonly string[];
}

function mistakesIn(value: unknown, path: string, group: Group): readonly Mistake[] {
  const { names, prefix, more } = group;
  const known = keysOf(group);
  if (!isObject(value)) return [[path, `must be an object with ${known.join(', ')}, not ${shown(value)}`]];
  return Object.entries(value).flatMap(([key, item]): readonly Mistake[] => {
    const here = at(path, key);
    if (!known.includes(key)) return [[here, unknownKey(key, group)]];
    if (item === undefined || more.includes(key)) return [];
    const name = names.find((candidate) => candidate === prefix + key);
    if (name !== undefined) return mistakesOf(settings[name], item, here);
    const inner = `${prefix}${key}.`;
    return mistakesIn(item, here, { names: names.filter((one) => one.startsWith(inner)), prefix: inner, more: [] });
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
