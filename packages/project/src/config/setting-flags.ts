import type { Setting } from './settings/setting.ts';
import { settingTypes } from './settings/setting-type.ts';
import { settings } from './settings/settings.ts';
import type { SettingName, TextSettingName } from './settings/settings-type.ts';
import { flagOf } from './settings/text-names.ts';

/** The flag for a setting, with the rules for parsing it and its line of help. */
export interface SettingFlag {
  readonly type: 'string' | 'boolean';
  /** The placeholder for its value in help, such as `FILE`. */
  readonly value?: string | undefined;
  readonly help: string;
}

/**
 * The name of the flag for a setting: `concurrency.agents` -> `concurrency_agents`. A recording has a single flag for
 * its file and mode.
 */
export type FlagOf<Name extends string> = Name extends 'recording.file' ? 'recording' : InSnakeCase<Name>;

type InSnakeCase<Name extends string> = Name extends `${infer Head}${infer Rest}`
  ? `${Head extends '.' ? '_' : Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${InSnakeCase<Rest>}`
  : '';

/** The effect of a flag on settings. */
export interface Meaning {
  readonly flag: SettingFlag;
  readonly takes: TextSettingName | null;
  readonly sets: Readonly<Record<string, unknown>>;
}

/**
 * Returns the flags for settings, in the order of the settings. Each setting contributes its own flag, then ADK's name
 * for it, then its shorthands.
 */
export function settingFlags<const Name extends TextSettingName>(
  ...names: readonly Name[]
): Readonly<Record<FlagOf<Name>, SettingFlag>> {
  const flags = names.flatMap((name) => [...meaningsOf(name)].map(([flag, meaning]) => [flag, meaning.flag] as const));
  return Object.fromEntries(flags) as Record<FlagOf<Name>, SettingFlag>;
}

/** Returns the flags for a setting, by name. */
function meaningsOf(name: TextSettingName): ReadonlyMap<string, Meaning> {
  const setting = settings[name];
  const { adkFlag, shorthands = {} } = setting;
  const unit = setting.type === 'duration' ? ', in seconds or with a unit, such as 5m' : '';
  const own = flagOf(name);
  const value = settingTypes[setting.type].text?.placeholder(setting) ?? '';
  const takes = { takes: name, sets: {} };
  const flags = new Map<string, Meaning>([
    [
      own,
      { flag: { type: 'string', value, help: `${setting.description}${unit} (${defaultText(setting)})` }, ...takes },
    ],
  ]);
  if (adkFlag !== undefined) {
    flags.set(adkFlag, {
      flag: { type: 'string', value, help: `the same as --${own.replaceAll('_', '-')}, as ADK calls it` },
      ...takes,
    });
  }
  for (const [flag, { description: help, sets }] of Object.entries(shorthands)) {
    const isWhole = name in sets;
    flags.set(flag, {
      flag: isWhole ? { type: 'boolean', help } : { type: 'string', value, help },
      takes: isWhole ? null : name,
      sets,
    });
  }
  return flags;
}

export const flagMeanings: ReadonlyMap<string, Meaning> = new Map(
  (Object.keys(settings) as SettingName[])
    .filter((name): name is TextSettingName => settingTypes[settings[name].type].text !== undefined)
    .flatMap((name) => [...meaningsOf(name)]),
);

/** Formats the default of a setting for the end of its help line. */
export function defaultText({ type, default: value, without }: Setting): string {
  if (value === undefined) return `default: ${without}`;
  return `default ${type === 'duration' ? secondsOf(value) : value}`;
}

/** Formats the default of a duration with its unit, such as `300s`. */
export function secondsOf(milliseconds: Setting['default']): string {
  return `${Number(milliseconds) / 1000}s`;
}
