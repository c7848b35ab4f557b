import { overlaySettings, settingOf } from './setting-values.ts';
import { settingNames } from './settings.ts';
import type { SettingName, Settings } from './settings-type.ts';

/** The sources of settings. Each overrides those after it, and all of them override the defaults. */
export type SettingSource = 'flag' | 'environment' | 'config';

/** The source of each setting. Absent for defaults. */
export type SettingOrigins = { readonly [Name in SettingName]?: SettingSource };

interface WithOrigins {
  readonly settings: Settings;
  readonly origins: SettingOrigins;
}

/** Overlays a project's settings with others. */
export function withSettings<Project extends WithOrigins>(
  project: Project,
  over: Settings,
  source: SettingSource,
): Project {
  const given = settingNames.filter((name) => settingOf(over, name) !== undefined);
  const origins = { ...project.origins, ...Object.fromEntries(given.map((name) => [name, source])) };
  return { ...project, settings: overlaySettings(project.settings, over), origins };
}
