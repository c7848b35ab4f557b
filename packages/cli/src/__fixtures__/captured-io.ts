import type { Io } from '../io.ts';
import { run } from '../run.ts';

export interface Captured {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command line in this process and gives what it wrote. */
export async function capture(args: readonly string[], more: Partial<Io> = {}): Promise<Captured> {
  let out = '';
  let err = '';
  const code = await run(args, {
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    color: false,
    environment: {},
    signal: new AbortController().signal,
    ...more,
  });
  return { code, out, err };
}
