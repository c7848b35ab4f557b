import { fit } from '@agent-criteria/report/terminal';
import type { Io } from './io.ts';

/** The same, but no line of a text is wider than the stream. What programs read goes out by `raw`, as it is. */
export function fittedIo(io: Io): Io {
  const { width } = io;
  return {
    ...io,
    out: (text) => io.out(fit(text, width.out)),
    err: (text) => io.err(fit(text, width.err)),
  };
}
