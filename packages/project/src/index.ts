export { configSchema } from './config-schema.ts';
export { type DescribedSetting, describeSettings } from './describe-settings.ts';
export { type FlagOf, type SettingFlag, settingFlags } from './setting-flags.ts';
export { settingsOfFlags } from './settings-of-flags.ts';
