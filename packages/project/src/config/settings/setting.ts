export type SettingType =
  | 'whole'
  | 'repeats'
  | 'amount'
  | 'duration'
  | 'switch'
  | 'text'
  | 'choice'
  | 'file'
  | 'folder'
  | 'folderOrFalse'
  | 'recordingFile'
  | 'recordingMode'
  | 'plugins'
  | 'models'
  | 'prices'
  | 'evalConfig'
  | 'variants'
  | 'files'
  | 'function';

/** An entry of the list of settings. Its name is its key in the config; flag and variable are derived from the name. */
export interface Setting {
  readonly type: SettingType;
  /** The meaning, for a line of help: without a capital letter and a full stop. */
  readonly description: string;
  /** The default value. Paths are relative to the folder of the config, or to the working folder without one. */
  readonly default?: boolean | number | string | undefined;
  /** The behaviour without a value, if there is no default. */
  readonly without?: string | undefined;
  /** The smallest number, 0 or 1. Default 1. */
  readonly least?: 0 | 1 | undefined;
  /** The largest whole number. Default: no limit. */
  readonly most?: number | undefined;
  /** All allowed values. */
  readonly choices?: readonly string[] | undefined;
  /** The placeholder of its value in help. Default: that of its type. */
  readonly placeholder?: string | undefined;
  /** The name that its flag and variable are derived from, if two settings are one text. Default: its own name. */
  readonly textName?: string | undefined;
  /** ADK's name of its flag, which is accepted too. */
  readonly adkFlag?: string | undefined;
  /** Further flags that set it, alone or together with others. */
  readonly shorthands?: Readonly<Record<string, Shorthand>> | undefined;
}

export interface Shorthand {
  readonly description: string;
  /** The settings that it sets, by name. If the setting itself is not among them, the flag takes its value. */
  readonly sets: Readonly<Record<string, unknown>>;
}
