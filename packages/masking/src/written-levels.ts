import { type Unescaped, unescaped } from './unescape.ts';

/** A text with what it was wrapped in undone. */
export interface Level extends Unescaped {
  /** Where each character ends in the text that was given first; absent: where the next one begins. */
  readonly ends?: Uint32Array | undefined;
}

/** Lines are broken and characters that cannot be seen are inserted where texts are shown. */
const BREAKS = /[\r\n\u00ad\u200b-\u200f\u2060\ufeff]/;
const BREAK = /[\r\n\u00ad\u200b-\u200f\u2060\ufeff]+[ \t]*/g;
const PERCENT = /%[\da-f]{2}/i;
/** Characters of UTF-8, one by one. */
const PERCENT_EACH =
  /%[0-7][\da-f]|%[cd][\da-f]%[89ab][\da-f]|%e[\da-f](?:%[89ab][\da-f]){2}|%f[0-7](?:%[89ab][\da-f]){3}/gi;
const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&#39;': "'",
  '&#039;': "'",
  '&#x27;': "'",
  '&#34;': '"',
};
const ENTITY = /&(?:amp|lt|gt|quot|apos|#0?39|#x27|#34);/;
const ENTITY_EACH = new RegExp(ENTITY, 'g');
/** `%2525` may be undone three times over; more would make a text of them take time without end. */
const MOST_PERCENT = 3;

/** Whether there is more to a text than its characters say. */
export function mayHoldLevels(text: string): boolean {
  return text.includes('\\') || hasOther(text);
}

function hasOther(text: string): boolean {
  return (text.includes('%') && PERCENT.test(text)) || (text.includes('&') && ENTITY.test(text));
}

/**
 * A text as it is, and with what it is wrapped in undone: each level of JSON escapes, since a tool may answer with JSON that holds
 * JSON; and at each of them the encoding of URLs and the entities of HTML.
 */
export function* levelsOf(text: string): Generator<Level> {
  let level: Level | null = { text, at: null };
  while (level !== null) {
    yield level;
    if (hasOther(level.text)) yield* otherLevels(level);
    level = level.text.includes('\\') ? unescaped(level) : null;
  }
}

function* otherLevels(level: Level): Generator<Level> {
  const plain = ENTITY.test(level.text) ? rewritten(level, ENTITY_EACH, (entity) => ENTITIES[entity] ?? entity) : null;
  if (plain !== null) yield plain;
  let decoded: Level | null = plain ?? level;
  for (let count = 0; count < MOST_PERCENT && decoded !== null; count++) {
    decoded = PERCENT.test(decoded.text) ? rewritten(decoded, PERCENT_EACH, percentDecoded) : null;
    if (decoded !== null) yield decoded;
  }
}

/** A text without its line breaks, and with blanks in their places. */
export function* withoutBreaks(level: Level): Generator<Level> {
  if (!BREAKS.test(level.text)) return;
  for (const instead of ['', ' ']) {
    const joined = rewritten(level, BREAK, () => instead);
    if (joined !== null) yield joined;
  }
}

/** The texts of `withoutBreaks` alone, which is much less work. */
export function textsWithoutBreaks(text: string): readonly string[] {
  if (!BREAKS.test(text)) return [];
  return [text.replace(BREAK, ''), text.replace(BREAK, ' ')];
}

/** Bytes that are not UTF-8 stay as they are. */
function percentDecoded(escapes: string): string {
  try {
    return decodeURIComponent(escapes);
  } catch {
    return escapes;
  }
}

/** @returns `null` where nothing changes. */
function rewritten(level: Level, pattern: RegExp, instead: (found: string) => string): Level | null {
  const { text } = level;
  const at = new Uint32Array(text.length + 1);
  const ends = new Uint32Array(text.length);
  let plain = '';
  let read = 0;
  const take = (until: number): void => {
    let length = plain.length;
    plain += text.slice(read, until);
    for (; read < until; read++, length++) {
      at[length] = beginOf(level, read);
      ends[length] = endOf(level, read);
    }
  };
  let changed = false;
  for (const { 0: found, index } of text.matchAll(pattern)) {
    const own = instead(found);
    if (own === found) continue;
    take(index);
    changed = true;
    read = index + found.length;
    for (let length = plain.length; length < plain.length + own.length; length++) {
      at[length] = beginOf(level, index);
      ends[length] = endOf(level, read - 1);
    }
    plain += own;
  }
  if (!changed) return null;
  take(text.length);
  at[plain.length] = beginOf(level, text.length);
  return { text: plain, at: at.subarray(0, plain.length + 1), ends };
}

/** Where a character begins in the text that was given first. */
export function beginOf({ at }: Level, index: number): number {
  return at?.[index] ?? index;
}

/** Where it ends there. */
export function endOf({ at, ends }: Level, index: number): number {
  return ends?.[index] ?? at?.[index + 1] ?? index + 1;
}
