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

/**
 * An entry in the list of settings. Its name is its key in the config, from which its flag and variable are derived.
 */
export interface Setting {
  readonly type: SettingType;
  /** The meaning, for a line of help: without an initial capital or a full stop. */
  readonly description: string;
  /** The default value. */
  readonly default?: boolean | number | string | undefined;
  /** The behaviour without a value, if there is no default. */
  readonly without?: string | undefined;
  /** The minimum, 0 or 1. Default 1. */
  readonly least?: 0 | 1 | undefined;
  /** The maximum of a whole number. Default: no limit. */
  readonly most?: number | undefined;
  /** All allowed values. */
  readonly choices?: readonly string[] | undefined;
  /** The placeholder for its value in help. Default: that of its type. */
  readonly placeholder?: string | undefined;
  /** The name from which its flag and variable are derived if two settings share one text. Default: its own name. */
  readonly textName?: string | undefined;
  /** ADK's name for its flag, which is also accepted. */
  readonly adkFlag?: string | undefined;
  /** Further flags that set it, alone or together with others. */
  readonly shorthands?: Readonly<Record<string, Shorthand>> | undefined;
}

export interface Shorthand {
  readonly description: string;
  /** The settings that it sets, by name. If the setting itself is not among them, its value comes from the flag. */
  readonly sets: Readonly<Record<string, unknown>>;
}
