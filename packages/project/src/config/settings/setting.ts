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

/** One entry of the list of settings. Its name is its key in the config file, and its flag and variable are made from it. */
export interface Setting {
  readonly type: SettingType;
  /** What it means, as the rest of a line of help: without a capital and a full stop. */
  readonly description: string;
  /** Paths as seen from the folder of the config, or from the working folder without one. */
  readonly default?: boolean | number | string | undefined;
  /** What holds when it is not set and has no default value. */
  readonly without?: string | undefined;
  /** The least number, 0 or 1. Default 1. */
  readonly least?: 0 | 1 | undefined;
  /** The greatest whole number. Default: none. */
  readonly most?: number | undefined;
  /** All that it may be. */
  readonly choices?: readonly string[] | undefined;
  /** What takes the place of its value in help. Default: what its type says. */
  readonly placeholder?: string | undefined;
  /** What its flag and its variable are made from, where two settings are one text. Default: its name. */
  readonly textName?: string | undefined;
  /** How ADK calls its flag, which is accepted too. */
  readonly adkFlag?: string | undefined;
  /** More flags that set it, alone or together with others. */
  readonly shorthands?: Readonly<Record<string, Shorthand>> | undefined;
}

export interface Shorthand {
  readonly description: string;
  /** The settings that it sets, by name. Where the setting itself is not among them, the flag takes its value. */
  readonly sets: Readonly<Record<string, unknown>>;
}
