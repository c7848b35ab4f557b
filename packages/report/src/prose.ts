import stringWidth from 'string-width';
import type { Style } from './style.ts';
import { fit, safeLines, wrap } from './terminal.ts';

/** Characters of a reason without `detailed`. */
const REASON_SHOWN = 2000;
/** Columns of wrapped prose, and their minimum, however deep the indentation. */
const PROSE = 80;
const NARROWEST = 30;

/** Wraps lines that are wider than the terminal. */
export function fitted(text: string, { width, longest }: Style): string {
  return fit(text, width, longest);
}

export function truncate(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

/** Escapes a reason or a message, and truncates it unless `detailed`. */
export function reasonText(text: string, { detailed }: Pick<Style, 'detailed'>): string {
  return detailed ? safeLines(text) : truncate(safeLines(text), REASON_SHOWN);
}

/**
 * Fits prose behind an indentation: unchanged if it fits, otherwise wrapped into readable lines.
 *
 * @param text Escaped; may have colours.
 * @param hang The indentation of continuation lines. Default 2.
 */
export function wrapped(
  text: string,
  margin: number,
  { width, longest = width }: Pick<Style, 'width'> & Partial<Pick<Style, 'longest'>>,
  hang = 2,
): string {
  const room = width - margin;
  if (text.split('\n').every((line) => fits(line, room))) return text;
  const columns = Math.max(Math.min(width, PROSE) - margin, NARROWEST);
  return wrap(text, columns, hang, Math.max(longest - margin, columns));
}

function fits(line: string, room: number): boolean {
  if (line.length * 2 <= room) return true;
  // Longer text is certainly wider; measuring all of it is slow.
  return line.length <= room * 8 && stringWidth(line) <= room;
}
