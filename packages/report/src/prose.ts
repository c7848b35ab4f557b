import stringWidth from 'string-width';
import type { Look } from './look.ts';
import { safeLines, wrap } from './terminal.ts';

/** How much of a reason is shown, unless everything is wanted. */
const REASON_SHOWN = 2000;
/** Columns of a text that has to be broken into lines; and how few there may be, however deep it stands. */
const PROSE = 80;
const NARROWEST = 30;

export function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

/** A reason or a message, safe, and cut where it goes on and on unless everything is wanted. */
export function told(text: string, { detailed }: Pick<Look, 'detailed'>): string {
  return detailed ? safeLines(text) : cut(safeLines(text), REASON_SHOWN);
}

/**
 * Prose whose lines fit behind so many columns: as it is where it does, else broken into lines that read well.
 *
 * @param text Safe to print; may be painted.
 * @param hang Columns by which what follows a break is moved right. Default 2.
 */
export function wrapped(
  text: string,
  margin: number,
  { width, longest = width }: Pick<Look, 'width'> & Partial<Pick<Look, 'longest'>>,
  hang = 2,
): string {
  const room = width - margin;
  if (text.split('\n').every((line) => fits(line, room))) return text;
  const columns = Math.max(Math.min(width, PROSE) - margin, NARROWEST);
  return wrap(text, columns, hang, Math.max(longest - margin, columns));
}

function fits(line: string, room: number): boolean {
  if (line.length * 2 <= room) return true;
  // Whatever is longer than this is wider too; measuring all of it would take long.
  return line.length <= room * 8 && stringWidth(line) <= room;
}
