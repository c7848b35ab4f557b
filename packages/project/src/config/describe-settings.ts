import { toMilliseconds } from '@agent-criteria/calls';
import type { LoadedProjectConfig } from './project-config.ts';
import { settingOf } from './settings/setting-values.ts';
import { settingNames, settings } from './settings/settings.ts';
import type { SettingName } from './settings/settings-type.ts';
import { flagOf, variableOf } from './settings/text-names.ts';
import type { SettingSource } from './settings/with-settings.ts';

/** A setting as a run would use it. */
export interface DescribedSetting {
  readonly name: SettingName;
  /** The value, or a short description if it is not JSON; `null` if it is neither set nor has a default. */
  readonly value: string | number | boolean | null;
  readonly source: SettingSource | 'default';
  /** The flag, the variable or the file that sets it, or `null` for a default. */
  readonly from: string | null;
}

/** Lists every setting of a project with its value and source, in the order in which settings are defined. */
export function describeSettings(project: LoadedProjectConfig): readonly DescribedSetting[] {
  return settingNames.map((name) => {
    const source = project.origins[name] ?? 'default';
    const given = settingOf(project.settings, name);
    const value = source === 'default' ? (settings[name].default ?? null) : shown(name, given);
    return { name, value, source, from: sourceOf(name, source, project.file) };
  });
}

function sourceOf(name: SettingName, source: DescribedSetting['source'], file: string | null): string | null {
  if (source === 'flag') return `--${flagOf(name).replaceAll('_', '-')}`;
  if (source === 'environment') return variableOf(name);
  return source === 'config' ? file : null;
}

/** Formats a value. Shows only the names of models and prices, because a model may contain a key. */
function shown(name: SettingName, value: unknown): string | number | boolean {
  if (settings[name].type === 'duration' && typeof value === 'string') return toMilliseconds(value);
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value === 'function') return 'a function';
  if (Array.isArray(value)) return `${value.length} of them`;
  return Object.keys(value ?? {}).join(', ');
}
