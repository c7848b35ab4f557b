/** The folder in which a command runs, and what happened there before. */
export interface Setup {
  /** Folders of the repository that are copied, each under its own last name; `.` after a colon: into the working folder itself. */
  readonly copies?: readonly string[];
  /** Packages of ours that the working folder has installed, by their folders in `packages/`. */
  readonly packages?: readonly string[];
  /** Command lines that run before, to their end, and are not shown. */
  readonly before?: readonly CommandLine[];
  /** Files that are written after that; `null` removes one. */
  readonly files?: Readonly<Record<string, string | null>>;
}

/**
 * Arguments; in a text they are separated by spaces. `RUN1` is the id of the first run, and so on. `node` as the first runs a script
 * of the folder instead of the command.
 */
export type CommandLine = string | readonly string[];

/** Command lines whose exit codes, output and files are kept in one snapshot. */
export interface CorpusEntry extends Setup {
  /** Of the snapshot. */
  readonly name: string;
  /** They run one after the other, in one folder. */
  readonly commands: readonly CommandLine[];
  /** Variables beside those that every command has. `SERVER` in a value is the address of the server. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Whether output is painted. Default `false`. */
  readonly color?: boolean;
  /** A fake of a service that answers on 127.0.0.1 meanwhile. `SERVER` in an argument is its address. */
  readonly server?: 'gemini' | 'adk';
  /** Whether each command is a process of its own, as on a terminal. Default: it is called in the recording process. */
  readonly process?: boolean;
  /** Whether the content of files that were written is kept, or their names alone. Default: the content. */
  readonly content?: boolean;
}

/** Whether a line runs a script, which uses our packages, and not the command. */
export function isScript(line: CommandLine): boolean {
  return (typeof line === 'string' ? line.split(' ') : line)[0] === 'node';
}
