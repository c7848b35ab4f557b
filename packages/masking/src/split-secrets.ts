import { isObject } from './json.ts';
import { marker, mergedHits } from './merged-hits.ts';
import type { Hit } from './secret-finder.ts';
import { PRIVATE_KEY } from './secret-forms.ts';

/** The string in a list item. */
interface Piece {
  readonly index: number;
  /** Its start in the concatenation of all strings. */
  readonly start: number;
  readonly text: string;
}

/**
 * Masks secrets that are split across several items of a list, such as the lines of a private key or the parts of an
 * answer. Secrets within a single item are kept. Returns the same list if there is nothing to mask.
 *
 * @param find Finds secrets in a text.
 */
export function withoutSplitSecrets(
  items: readonly unknown[],
  find: (text: string) => readonly Hit[],
): readonly unknown[] {
  if (items.length < 2) return items;
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
 * Whether a hit continues in the next item. A complete token at the end of one string does not; known values, private
 * keys and parts of an answer do.
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

/** Returns the string in an item, which is a string or a part of an answer. */
export function textOf(item: unknown): string | null {
  if (typeof item === 'string') return item;
  return isObject(item) && typeof item.text === 'string' ? item.text : null;
}

function withText(item: unknown, text: string): unknown {
  return isObject(item) ? { ...item, text } : text;
}

/** Returns the last piece that starts at or before a position. */
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
 * Removes parts of secrets from a string, leaving a marker where a secret starts.
 *
 * @param from The start of the string in the concatenation.
 * @param first The index of the first hit that may end in this string.
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
