import { diffArrays } from 'diff';

/** A stretch of a text; `changed` where the other text says something else. */
export interface Piece {
  readonly text: string;
  readonly changed: boolean;
}

/** Longer texts are shown without marks: comparing them takes long and helps nobody. */
const LONGEST = 20_000;
const MOST_EDITS = 800;

/** A stretch of two texts laid over each other: of both, or of one of them only. */
export interface WordChange {
  readonly text: string;
  readonly of: 'both' | 'before' | 'after';
}

/** Two texts laid over each other, word by word; `null` where they are too long or too different for that. */
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

/** Two texts, each in pieces; `null` where comparing them would not help: they share next to nothing, or are too long. */
export function diffWords(before: string, after: string): { before: Piece[]; after: Piece[] } | null {
  const changes = compareWords(before, after);
  if (changes === null) return null;
  if (!changes.some(({ text, of }) => of === 'both' && /[\p{L}\p{N}]/u.test(text)) && before !== after) return null;
  const side = (other: WordChange['of']) =>
    joined(changes.filter(({ of }) => of !== other).map(({ text, of }) => ({ text, changed: of !== 'both' })));
  return { before: side('after'), after: side('before') };
}

let segmenter: Intl.Segmenter | undefined;

/** Words, spaces and signs; also in languages that write no spaces. */
function wordsOf(text: string): string[] {
  // Takes long to make, and few need one.
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'word' });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** One piece where pieces of a kind meet, or where nothing but space is between two changes. */
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
