import type { Readable } from 'node:stream';
import type { Keyboard } from './io.ts';

const CTRL_C = '\u0003';
const CTRL_D = '\u0004';

export interface KeyboardInput extends Readable {
  readonly isTTY?: boolean | undefined;
  setRawMode?(mode: boolean): unknown;
}

/** Reads a terminal key by key, or a pipe character by character. */
export function openKeyboard(input: KeyboardInput): Keyboard {
  const isTerminal = input.isTTY === true;
  const typed: string[] = [];
  let ended = false;
  let wake = (): void => undefined;
  const onData = (data: Buffer | string): void => {
    const text = data.toString();
    // Arrows and other keys without a character send an escape sequence.
    if (!(isTerminal && text.length > 1 && text.startsWith('\u001b'))) typed.push(...text);
    wake();
  };
  const onEnd = (): void => {
    ended = true;
    wake();
  };
  // Otherwise Ctrl-C would end the process, and keys would arrive only once the line is complete.
  if (isTerminal) input.setRawMode?.(true);
  input.on('data', onData).on('end', onEnd).on('error', onEnd);
  input.resume();
  return {
    echo: isTerminal,
    async key() {
      for (;;) {
        const next = typed.shift();
        if (next === CTRL_C || next === CTRL_D) {
          ended = true;
          typed.length = 0;
          return null;
        }
        if (next !== undefined) return next;
        if (ended) return null;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    close() {
      input.off('data', onData).off('end', onEnd).off('error', onEnd);
      if (isTerminal) input.setRawMode?.(false);
      input.pause();
    },
  };
}
