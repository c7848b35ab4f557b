import pc from 'picocolors';

/** Where a command writes to and what it may look at: the process, or a test. */
export interface Io {
  /** Writes a text as it is to standard output. */
  out(text: string): void;
  /** Writes a text as it is to standard error. */
  err(text: string): void;
  /** Whether output is painted. */
  readonly color: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Aborts on the first Ctrl-C. */
  readonly signal: AbortSignal;
}

/** Colours that know whether they are wanted. */
export function painter(io: Io) {
  return pc.createColors(io.color);
}
