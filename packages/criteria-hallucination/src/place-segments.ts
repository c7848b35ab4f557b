import { characterLength, findText, type Letters, lettersOf } from './letters.ts';

/** A piece of a text, in the text's own words. */
export interface Piece {
  readonly kind: 'sentence' | 'left-out';
  readonly text: string;
}

/** A text, split at the ends of its segments. */
export interface Placed {
  /** The pieces in text order. Together they contain every letter and digit. */
  readonly pieces: readonly Piece[];
  /** Segments that do not occur in the text, or do not occur after the preceding segments. */
  readonly invented: readonly string[];
}

/**
 * The maximum number of searches, more than any usable segmentation takes. Without a limit, wrong segments of a long
 * text would take forever.
 */
const MOST_SEARCHES = 200;
/** The number of following segments that are searched for before the match. */
const LOOKAHEAD = 3;

/**
 * Finds the segments that a judge split a text into, in order. They are compared by letters and digits alone: white
 * space, bullets, numbering, fences and other marks need not be in a segment, and may be copied differently. The
 * wording of a piece is always taken from the text itself, marks included, never from the segment.
 */
export function placeSegments(text: string, segments: readonly string[]): Placed {
  const letters = lettersOf(text);
  const { places, invented } = find(letters, segments);
  return { pieces: cut(text, letters, places), invented };
}

/** The start and end of a segment, counted in letters. */
interface Place {
  readonly start: number;
  readonly end: number;
}

function find(letters: Letters, segments: readonly string[]) {
  const wanted = segments
    .map((segment) => ({ segment, letters: lettersOf(segment).text }))
    .filter((one) => one.letters !== '');
  const places: Place[] = [];
  const invented: string[] = [];
  let from = 0;
  let searches = 0;
  const search = (pattern: string): number => {
    const isWhole = (start: number): boolean => !isInWord(letters, start) && !isInWord(letters, start + pattern.length);
    if (letters.text.startsWith(pattern, from) && isWhole(from)) return from;
    for (let start = from; searches < MOST_SEARCHES; start += 1) {
      searches += 1;
      start = findText(letters.text, pattern, start);
      if (start === -1 || isWhole(start)) return start;
    }
    return -1;
  };
  for (const [index, { segment, letters: pattern }] of wanted.entries()) {
    const start = search(pattern);
    // A segment that is not from the text may match far ahead by chance, skipping everything in between.
    const following = start > from ? wanted.slice(index + 1, index + 1 + LOOKAHEAD) : [];
    const isBefore = ({ letters: next }: { letters: string }): boolean => {
      const found = search(next);
      return found !== -1 && found < start;
    };
    if (start === -1 || following.some(isBefore)) {
      invented.push(segment);
      continue;
    }
    from = start + pattern.length;
    places.push({ start, end: from });
  }
  return { places, invented };
}

const SPACED = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}\p{N}]/u;

/** Whether a cut before this letter would split a word, a number, or a single character. */
function isInWord({ text, places }: Letters, letter: number): boolean {
  const [before, after] = [places[letter - 1], places[letter]];
  if (before === undefined || after === undefined) return false;
  if (before === after) return true;
  return after - before === 1 && SPACED.test(text[letter - 1] ?? '') && SPACED.test(text[letter] ?? '');
}

/** Cuts the text between segments. Omitted text between two segments becomes a separate piece if it has content. */
function cut(text: string, { places: at, text: letters }: Letters, places: readonly Place[]): Piece[] {
  const pieces: { readonly kind: Piece['kind']; readonly start: number; readonly end: number }[] = [];
  const beginOf = (letter: number): number => at[letter] ?? text.length;
  const endOf = (letter: number): number => {
    const last = at[letter - 1] ?? 0;
    return last + characterLength(text, last);
  };
  let done = 0;
  const leave = (until: number): void => {
    if (until <= done) return;
    const [start, end] = [beginOf(done), endOf(until)];
    const marked = text.slice(done === 0 ? 0 : endOf(done), beginOf(until));
    if (saysSomething(marked, done === 0)) pieces.push({ kind: 'left-out', start, end });
  };
  for (const { start, end } of places) {
    leave(start);
    pieces.push({ kind: 'sentence', start: beginOf(start), end: endOf(end) });
    done = end;
  }
  leave(letters.length);
  if (pieces.length === 0 && letters !== '') pieces.push({ kind: 'left-out', start: 0, end: text.length });
  return pieces.map(({ kind, start, end }, index) => {
    const [before, after] = [pieces[index - 1], pieces[index + 1]];
    const from = before === undefined ? 0 : before.end + splitMarks(text.slice(before.end, start));
    const until = after === undefined ? text.length : end + splitMarks(text.slice(end, after.start));
    return { kind, text: text.slice(from, until).trim() };
  });
}

const LIST_MARK = /^[\s>]*(?:\d{1,9}|[a-z])[.)](?=\s|$)/i;
const FENCE = /^[\s>]*(?:```|~~~)[\s\w+#.-]*$/;
const FOOTNOTE = /\[\^?\d{1,4}\]/g;

/** Whether a text has content: numbering, a fence with its language, and footnote marks have none. */
function saysSomething(text: string, startsLine: boolean): boolean {
  const lines = text.split('\n').map((line, index) => {
    if (index === 0 && !startsLine) return line;
    return FENCE.test(line) ? '' : line.replace(LIST_MARK, '');
  });
  return lettersOf(lines.join('\n').replace(FOOTNOTE, '')).text !== '';
}

const OPENING = /[\p{Ps}\p{Pi}\p{Sc}+\-−*_~`#¿¡@]/u;

/**
 * Finds where to split the marks between two pieces: at the last line break, or else at the last white space, or else
 * before an opening mark.
 */
function splitMarks(marks: string): number {
  const line = marks.lastIndexOf('\n');
  if (line !== -1) return line + 1;
  let at = marks.length;
  while (at > 0 && !/\s/.test(marks[at - 1] ?? '')) at -= 1;
  if (at > 0) return at;
  at = marks.length;
  while (at > 0 && OPENING.test(marks[at - 1] ?? '')) at -= 1;
  return at;
}
