import pc from 'picocolors';

/** The streams and environment of a command: those of the process, or of a test. */
export interface Io {
  /** Writes whole lines for people to standard output. `runCommand` wraps wide lines. */
  out(text: string): void;
  /** Writes whole lines for people to standard error. */
  err(text: string): void;
  /** Writes text for programs to standard output, unchanged. */
  raw(text: string): void;
  /** Widths in columns; `Infinity` disables wrapping. */
  readonly width: { readonly out: number; readonly err: number };
  readonly color: boolean;
  /** A line on standard error that is redrawn, or `null` if standard error is not an interactive terminal. */
  readonly live: LiveLine | null;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Aborts when everything must end now: on the first Ctrl-C, or on the second once `drain` has been called. */
  readonly signal: AbortSignal;
  /** Returns a signal that the next Ctrl-C aborts instead of `signal`, so that work in flight can finish. */
  drain(): AbortSignal;
  /** Starts reading the keyboard. Absent if there is none. */
  readonly keyboard?: (() => Keyboard) | undefined;
  /** The number of uncaught errors so far. If there are any, the process does not exit with 0. Default: 0. */
  readonly uncaught?: (() => number) | undefined;
  /** Registers a listener for reasons, found after the command has returned, why the process does not exit with 0. */
  readonly whenExitChanges?: ((listener: (why: string) => void) => void) | undefined;
  /**
   * Ends the process if an agent blocks it for longer than a turn may take, in milliseconds, until `end` is called.
   * Absent if the process does not belong to the command.
   */
  readonly watchTheLoop?: ((turnTimeout: number) => { end(): void }) | undefined;
}

/** The keyboard input of a person, or of a program that acts as one. */
export interface Keyboard {
  /** Resolves with the character of the next key, or `null` at the end of the input and on Ctrl-C. */
  key(): Promise<string | null>;
  /** Whether keys must be echoed as they are typed. */
  readonly echo: boolean;
  close(): void;
}

/** The last line of a terminal, which gives way to other output. */
export interface LiveLine {
  columns(): number;
  /** Replaces the text. An empty text erases it. */
  draw(text: string): void;
}

/** Returns functions that colour text if colours are enabled. */
export function painter(io: Io) {
  return pc.createColors(io.color);
}
