// An entry of its own, which loads nothing else: help is made from it.
export { flagOf, type Setting, type Shorthand, variableOf } from './setting.ts';
export { type SettingType, settingTypes, type TextForm, type TypeRules } from './setting-type.ts';
export { overlaySettings, settingOf, settingsFrom } from './setting-values.ts';
export { settingNames, settings } from './settings.ts';
export type { SettingName, Settings, TextSettingName } from './settings-type.ts';
export { type SettingOrigins, type SettingSource, withSettings } from './with-settings.ts';
