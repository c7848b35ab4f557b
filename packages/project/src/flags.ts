// An entry of its own, which loads nothing else: a command makes its help from it.
export { type FlagOf, type SettingFlag, settingFlags } from './config/setting-flags.ts';
