import { isObject } from './json.ts';
import { marker, mergedHits } from './merged-hits.ts';
import type { Hit } from './secret-finder.ts';
import { PRIVATE_KEY } from './secret-forms.ts';

/** Which part of which item of a list. */
interface Piece {
  readonly index: number;
  /** Where it begins in all of them together. */
  readonly start: number;
  readonly text: string;
}

/**
 * A list without the secrets that go from one text to the next: a private key as a list of its lines, an answer of which every part
 * has a piece, a list of characters. What lies within a single text stays. The same list where there is none.
 *
 * @param find Secrets in a text.
 */
export function withoutSplitSecrets(
  items: readonly unknown[],
  find: (text: string) => readonly Hit[],
): readonly unknown[] {
  if (items.length < 2 || textOf(items[0]) === null) return items;
  const pieces: Piece[] = [];
  let all = '';
  for (let index = 0; index < items.length; index++) {
    const text = textOf(items[index]);
    if (text === null) continue;
    pieces.push({ index, start: all.length, text });
    all += text;
  }
  if (pieces.length < 2) return items;
  const split = mergedHits(find(all).filter((hit) => isSplit(hit, pieces, items, find)));
  if (split.length === 0) return items;
  const copy = [...items];
  let next = 0;
  for (const { index, start, text } of pieces) {
    while ((split[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next += 1;
    const left = cut(text, start, split, next);
    if (left !== text) copy[index] = withText(items[index], left);
  }
  return copy;
}

/**
 * Of texts in a list, one that has a whole token at its end does not go on in the next. Parts of an answer do, and so do the lines of a
 * private key.
 */
function isSplit(
  hit: Hit,
  pieces: readonly Piece[],
  items: readonly unknown[],
  find: (text: string) => readonly Hit[],
): boolean {
  const { index, start, text } = pieceAt(pieces, hit.start);
  if (hit.end <= start + text.length) return false;
  if (hit.isKnown || hit.label === PRIVATE_KEY || typeof items[index] !== 'string') return true;
  return !find(text).some((own) => own.start === hit.start - start);
}

/** The text of a part of an answer. */
function textOf(item: unknown): string | null {
  if (typeof item === 'string') return item;
  return isObject(item) && typeof item.text === 'string' ? item.text : null;
}

function withText(item: unknown, text: string): unknown {
  return isObject(item) ? { ...item, text } : text;
}

/** The last piece that begins at or before a place. */
function pieceAt(pieces: readonly Piece[], place: number): Piece {
  let [low, high] = [0, pieces.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((pieces[middle] as Piece).start <= place) low = middle;
    else high = middle - 1;
  }
  return pieces[low] as Piece;
}

/**
 * The text without what belongs to the secrets; where one begins, it says what it was.
 *
 * @param first The first of them that may end in this text.
 */
function cut(text: string, from: number, hits: readonly Hit[], first: number): string {
  let left = '';
  let read = 0;
  for (let at = first; at < hits.length; at++) {
    const { start, end, label } = hits[at] as Hit;
    if (start >= from + text.length) break;
    left += text.slice(read, Math.max(start - from, 0));
    if (start >= from) left += marker({ label });
    read = Math.min(end - from, text.length);
  }
  return left + text.slice(read);
}
