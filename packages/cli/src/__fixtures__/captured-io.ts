import type { Io } from '../io.ts';
import { runCommand } from '../run-command.ts';

export interface Captured {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command line in this process and captures its output. `eval` saves no run unless a flag asks for it. */
export function capture(given: readonly string[], more: Partial<Io> = {}): Promise<Captured> {
  const leavesNothing = given[0] !== 'eval' || given.some((arg) => /^--(runs_folder|no_run_folder|help)|^-h/.test(arg));
  return captureAsGiven(leavesNothing ? given : [...given, '--no_run_folder'], more);
}

/** Runs a command line in this process and captures its output. `eval` saves its run where it does for users. */
export async function captureAsGiven(args: readonly string[], more: Partial<Io> = {}): Promise<Captured> {
  let out = '';
  let err = '';
  const code = await runCommand(args, {
    out: (text) => {
      out += text;
    },
    raw: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    width: { out: Number.POSITIVE_INFINITY, err: Number.POSITIVE_INFINITY },
    color: false,
    live: null,
    environment: {},
    signal: new AbortController().signal,
    drain: () => new AbortController().signal,
    ...more,
  });
  return { code, out, err };
}
