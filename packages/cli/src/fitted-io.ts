import { fit } from '@agent-criteria/report/terminal';
import type { Io } from './io.ts';

/** Wraps text for people at the width of its stream. Leaves `raw` output unchanged. */
export function fittedIo(io: Io): Io {
  const { width } = io;
  return {
    ...io,
    out: (text) => io.out(fit(text, width.out)),
    err: (text) => io.err(fit(text, width.err)),
  };
}
