import stringWidth from 'string-width';
import type { Style } from './style.ts';
import { fit, safeLines, wrap } from './terminal.ts';

/** The maximum length of a reason unless `detailed`, in characters. */
const REASON_SHOWN = 2000;
/** The maximum width of wrapped prose in columns, and the minimum width at any indentation. */
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
 * Fits prose behind an indentation. Text that fits is unchanged; other text is wrapped into readable lines.
 *
 * @param text Already escaped; may contain colours.
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
  // Longer text is certain to be wider, and measuring all of it would be slow.
  return line.length <= room * 8 && stringWidth(line) <= room;
}
