export { configSchema } from './config-schema.ts';
export { defaultText } from './default-text.ts';
export { type DescribedSetting, describeSettings } from './describe-settings.ts';
export { type FlagOf, type SettingFlag, settingFlags, settingsOfFlags } from './setting-flags.ts';
