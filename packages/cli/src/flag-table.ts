/** A flag of a command, with the rules for parsing it and its help text. */
export interface Flag {
  readonly type: 'string' | 'boolean';
  /** Whether it may be given more than once. */
  readonly multiple?: true;
  /** The placeholder for its value in help, such as `FILE`. */
  readonly value?: string;
  /** The value that it has if it is given without one. A value then has to follow after `=`. */
  readonly bare?: string;
  readonly help?: string;
}

export type FlagTable = Readonly<Record<string, Flag>>;

/**
 * Short forms of flags, the same for every command that has the flag. `-h` means help.
 */
export const SHORT_FLAGS: Readonly<Record<string, string | undefined>> = {
  output: 'o',
  config_file_path: 'c',
  repeats: 'n',
  print_detailed_results: 'v',
  tag: 't',
  concurrency_agents: 'j',
  watch: 'w',
};

/** `num_runs` -> `--num-runs`, as in help and messages. */
export function shownFlag(name: string): string {
  return `--${name.replaceAll('_', '-')}`;
}

/** A flag as help lists it: `-o, --output FILE`. */
export function listedFlag(name: string, { value, bare }: Flag): string {
  const short = SHORT_FLAGS[name] === undefined ? '' : `-${SHORT_FLAGS[name]}, `;
  if (bare !== undefined) return `${short}${shownFlag(name)}[=${value}]`;
  return `${short}${shownFlag(name)}${value === undefined ? '' : ` ${value}`}`;
}
