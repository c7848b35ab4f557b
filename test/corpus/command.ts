/** The folder in which a command runs, and the steps that prepare it. */
export interface Setup {
  /**
   * Folders in the repository to copy, each under its own base name. A folder that ends with `:.` is copied into the
   * working folder itself.
   */
  readonly copies?: readonly string[];
  /** Our packages that are installed in the working folder, by their folders in `packages/`. */
  readonly packages?: readonly string[];
  /** Command lines that run to completion beforehand, without being shown. */
  readonly before?: readonly CommandLine[];
  /** Files that are written afterwards. `null` removes a file. */
  readonly files?: Readonly<Record<string, string | null>>;
}

/**
 * Arguments, separated by spaces if they are one string. `RUN1` is the id of the first run, and so on. If the first
 * argument is `node`, a script in the folder runs instead of the command.
 */
export type CommandLine = string | readonly string[];

/** Command lines whose exit codes, output and files are stored in one snapshot. */
export interface CorpusEntry extends Setup {
  /** The name of the snapshot. */
  readonly name: string;
  /** The command lines, run one after another in the same folder. */
  readonly commands: readonly CommandLine[];
  /** Variables in addition to those that every command has. `SERVER` in a value is the server's address. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Whether output is coloured. Default `false`. */
  readonly color?: boolean;
  /** A fake service that answers on 127.0.0.1 while the commands run. `SERVER` in an argument is its address. */
  readonly server?: 'gemini' | 'adk';
  /** Whether each command is a separate process, as on a terminal. Default: it is called in the recording process. */
  readonly process?: boolean;
  /** Whether the content of written files is stored, or only their names. Default: the content. */
  readonly content?: boolean;
}

/** Whether a line runs a script that uses our packages, instead of the command. */
export function isScript(line: CommandLine): boolean {
  return (typeof line === 'string' ? line.split(' ') : line)[0] === 'node';
}
