import { overlaySettings, settingOf } from './setting-values.ts';
import { settingNames } from './settings.ts';
import type { SettingName, Settings } from './settings-type.ts';

/** What may set a setting. Each overrides those after it, and all of them the default. */
export type SettingSource = 'flag' | 'environment' | 'config';

/** Where settings come from; absent: the default. */
export type SettingOrigins = { readonly [Name in SettingName]?: SettingSource };

interface WithOrigins {
  readonly settings: Settings;
  readonly origins: SettingOrigins;
}

/** A project with more settings, over those that it has. */
export function withSettings<Project extends WithOrigins>(
  project: Project,
  over: Settings,
  source: SettingSource,
): Project {
  const given = settingNames.filter((name) => settingOf(over, name) !== undefined);
  const origins = { ...project.origins, ...Object.fromEntries(given.map((name) => [name, source])) };
  return { ...project, settings: overlaySettings(project.settings, over), origins };
}
