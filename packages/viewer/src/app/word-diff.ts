import { diffArrays } from 'diff';

/** A stretch of a text; `changed` where the other text says something else. */
export interface Piece {
  readonly text: string;
  readonly changed: boolean;
}

/** Longer texts are shown without marks: comparing them takes long and helps nobody. */
const LONGEST = 20_000;
const MOST_EDITS = 800;

/** Two texts, each in pieces; `null` where comparing them would not help: they share next to nothing, or are too long. */
export function diffWords(before: string, after: string): { before: Piece[]; after: Piece[] } | null {
  if (before.length + after.length > LONGEST) return null;
  const changes = diffArrays(wordsOf(before), wordsOf(after), { maxEditLength: MOST_EDITS });
  if (changes === undefined) return null;
  const shared = changes.filter(({ added, removed }) => !added && !removed).flatMap(({ value }) => value);
  if (!shared.some((word) => /[\p{L}\p{N}]/u.test(word)) && before !== after) return null;
  const side = (other: 'added' | 'removed') =>
    joined(
      changes
        .filter((change) => !change[other])
        .map(({ value, added, removed }) => ({ text: value.join(''), changed: added || removed })),
    );
  return { before: side('added'), after: side('removed') };
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/** Words, spaces and signs; also in languages that write no spaces. */
function wordsOf(text: string): string[] {
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
