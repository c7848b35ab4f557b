import type { TextFormat } from './input/open-records.ts';

/**
 * The formats that can be read: message lists, ADK's sessions and events, datasets of agents-cli, traces of OpenTelemetry,
 * trajectories of ATIF, evals of OpenAI, configs and results of promptfoo, and rows with columns.
 */
export const FORMATS = [
  'messages',
  'adk',
  'agents-cli',
  'traces',
  'atif',
  'openai-evals',
  'promptfoo',
  'rows',
] as const;

export type ImportFormat = (typeof FORMATS)[number];

export interface OpenConversationsOptions {
  /** The files, which are read in this order. */
  readonly files: readonly string[];
  /** The folder that their names are relative to. Errors and places keep the names as they are given. Default: the working directory. */
  readonly cwd?: string | undefined;
  /** The format. Default: detected from the first records of each file. */
  readonly as?: ImportFormat | undefined;
  /**
   * Columns of rows with their paths, as `answer=$.output.text`; with an empty path, the column is not read. Default:
   * guessed from the names and values of the first records.
   */
  readonly columns?: readonly string[] | undefined;
  /** The labels that mean a pass; any other then means a failure. Default: the usual words, `true` and 1. */
  readonly passes?: readonly string[] | undefined;
  /** Only records with these values, as `$.status=closed`. Default: all. */
  readonly where?: readonly string[] | undefined;
  /** The text of a last message of the user that ends a conversation and is not a turn of it. Default: none. */
  readonly stop?: string | undefined;
  /** Whether the project has prices of models, so that limits of cost can be judged. Default `false`: they are listed. */
  readonly hasPrices?: boolean | undefined;
  /** Whether to leave out records that cannot be read, and to list them. Default `false`: they are errors. */
  readonly skipInvalid?: boolean | undefined;
  /** Aborting it ends the reading. */
  readonly signal?: AbortSignal | undefined;
  /** Called for each piece of a file that was read. */
  readonly onBytes?: ((count: number) => void) | undefined;
}

/** The way in which a file was read. Plain JSON. */
export interface ReadFile {
  readonly file: string;
  readonly text: TextFormat;
  readonly format: ImportFormat;
  /** The paths of the columns, by name. Empty for ADK's sessions. */
  readonly columns: Readonly<Record<string, string>>;
  /** The columns that were guessed. */
  readonly guessed: readonly string[];
}
