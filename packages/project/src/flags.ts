// A separate entry that loads nothing else, because commands generate their help from it.
export { type FlagOf, type SettingFlag, settingFlags } from './config/setting-flags.ts';
