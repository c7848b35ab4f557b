import { diffArrays } from 'diff';

/** A stretch of text. `changed` is whether it differs from the other text. */
export interface Piece {
  readonly text: string;
  readonly changed: boolean;
}

/** The maximum length of a text. Longer texts are not compared. */
const LONGEST = 20_000;
const MOST_EDITS = 800;

/** A stretch of a diff, found in both texts or in only one. */
export interface WordChange {
  readonly text: string;
  readonly of: 'both' | 'before' | 'after';
}

/** Compares two texts word by word. Returns `null` if they are too long or too different. */
export function compareWords(before: string, after: string): readonly WordChange[] | null {
  if (before.length + after.length > LONGEST) return null;
  const changes = diffArrays(wordsOf(before), wordsOf(after), { maxEditLength: MOST_EDITS });
  return (
    changes?.map(({ value, added, removed }) => ({
      text: value.join(''),
      of: removed ? 'before' : added ? 'after' : 'both',
    })) ?? null
  );
}

/** Compares two texts, returning the pieces of each. Returns `null` if they are too long or have little in common. */
export function diffWords(before: string, after: string): { before: Piece[]; after: Piece[] } | null {
  const changes = compareWords(before, after);
  if (changes === null) return null;
  if (!changes.some(({ text, of }) => of === 'both' && /[\p{L}\p{N}]/u.test(text)) && before !== after) return null;
  const side = (other: WordChange['of']) =>
    joined(changes.filter(({ of }) => of !== other).map(({ text, of }) => ({ text, changed: of !== 'both' })));
  return { before: side('after'), after: side('before') };
}

let segmenter: Intl.Segmenter | undefined;

/** Splits a text into words, spaces and punctuation, even in languages without spaces. */
function wordsOf(text: string): string[] {
  // Created lazily, because it is slow.
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'word' });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** Joins adjacent pieces of the same kind, and changes separated only by whitespace. */
function joined(pieces: readonly Piece[]): Piece[] {
  const result: Piece[] = [];
  for (const [place, piece] of pieces.entries()) {
    const last = result.at(-1);
    const bridge = !piece.changed && last?.changed && pieces[place + 1]?.changed && piece.text.trim() === '';
    const changed = piece.changed || bridge === true;
    if (last?.changed === changed) result[result.length - 1] = { text: last.text + piece.text, changed };
    else result.push({ text: piece.text, changed });
  }
  return result;
}
