import pc from 'picocolors';

/** Where a command writes to and what it may look at: the process, or a test. */
export interface Io {
  /** Writes whole lines for people to standard output; `run` breaks those that are wider than it. */
  out(text: string): void;
  /** The same to standard error. */
  err(text: string): void;
  /** Writes what programs read to standard output, as it is. */
  raw(text: string): void;
  /** The columns that there are; `Infinity` where nothing is broken. */
  readonly width: { readonly out: number; readonly err: number };
  /** Whether output is painted. */
  readonly color: boolean;
  /** A line on standard error that is drawn anew; `null` where that is no terminal that a person looks at. */
  readonly live: LiveLine | null;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Aborts when everything must end now: on the first Ctrl-C, or after `drain` was asked for on the second. */
  readonly signal: AbortSignal;
  /** Asks that the first Ctrl-C from here on only aborts the signal that this gives, so that what is under way may finish. */
  drain(): AbortSignal;
  /** Begins to listen to what is typed, key by key; absent where nothing can be typed. */
  readonly keyboard?: (() => Keyboard) | undefined;
  /** The number of uncaught errors so far. With any, the process does not end with 0. Default: 0. */
  readonly uncaught?: (() => number) | undefined;
  /** Registers a function that gets the reason if the process ends with another exit code than the command gave. */
  readonly whenExitChanges?: ((listener: (why: string) => void) => void) | undefined;
  /**
   * Ends the process when an agent blocks it for longer than a turn may take, given in milliseconds, until `end` is
   * called; absent where the process is not the command's own to end.
   */
  readonly watchTheLoop?: ((turnTimeout: number) => { end(): void }) | undefined;
}

/** What a person types, or a program in their place. */
export interface Keyboard {
  /** The next key as the character that it gives; `null`: there is no more, or Ctrl-C was pressed. */
  key(): Promise<string | null>;
  /** Whether keys have to be shown as they are typed. */
  readonly echo: boolean;
  /** Stops listening. */
  close(): void;
}

/** The last line of a terminal, until something else is written. */
export interface LiveLine {
  columns(): number;
  /** Puts a text in place of the one before; an empty one takes it away. */
  draw(text: string): void;
}

/** Colours that know whether they are wanted. */
export function painter(io: Io) {
  return pc.createColors(io.color);
}
