import { oneLine } from '@agent-criteria/report/terminal';
import type { Io } from './io.ts';

/** Intervals in milliseconds. */
const DRAW_EVERY = 100;
const PRINT_EVERY = 10_000;

/** The progress of an import, as options for it. */
export interface ImportProgress {
  readonly onBytes: (count: number) => void;
  readonly onConversation: (count: number) => void;
  end(): void;
}

/**
 * Shows how far an import has come, on standard error: on a terminal in one line that is redrawn, elsewhere in a new
 * line every ten seconds.
 *
 * @param total The size of all files in bytes, or 0 if it is unknown.
 */
export function showImportProgress(io: Io, total: number, quiet: boolean): ImportProgress {
  const { live } = io;
  let bytes = 0;
  let conversations = 0;
  let shownAt = Date.now();
  const show = (): void => {
    const now = Date.now();
    if (quiet || now - shownAt < (live === null ? PRINT_EVERY : DRAW_EVERY)) return;
    shownAt = now;
    const share = total === 0 ? '' : `, ${Math.min(Math.floor((100 * bytes) / total), 100)} %`;
    const text = `${conversations.toLocaleString('en')} conversations read${share}`;
    if (live === null) io.err(`${text}\n`);
    else live.draw(oneLine(text, live.columns() - 1));
  };
  return {
    onBytes(count) {
      bytes += count;
      show();
    },
    onConversation(count) {
      conversations = count;
      show();
    },
    end: () => live?.draw(''),
  };
}
