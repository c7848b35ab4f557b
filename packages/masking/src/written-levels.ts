import { type Unescaped, unescaped } from './unescape.ts';

/** A decoded text, with the positions of its characters in the original. */
export interface Level extends Unescaped {
  /** The end of each character in the original text. Default: the start of the next one. */
  readonly ends?: Uint32Array | undefined;
}

/** Line breaks and invisible characters, which may be inserted when text is displayed. */
const BREAKS = /[\r\n\u00ad\u200b-\u200f\u2060\ufeff]/;
const BREAK = /[\r\n\u00ad\u200b-\u200f\u2060\ufeff]+[ \t]*/g;
const PERCENT = /%[\da-f]{2}/i;
/** Matches one percent-encoded UTF-8 character at a time. */
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
/** The maximum number of nested percent encodings (`%2525`), which limits the time. */
const MOST_PERCENT = 3;

/** Whether a text may contain escapes or encodings. */
export function mayHoldLevels(text: string): boolean {
  return text.includes('\\') || hasOther(text);
}

function hasOther(text: string): boolean {
  return (text.includes('%') && PERCENT.test(text)) || (text.includes('&') && ENTITY.test(text));
}

/**
 * Yields a text and its decoded forms: with each level of JSON escapes removed, because JSON may be nested in JSON, and
 * at each level with HTML entities and percent encoding decoded.
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

/** Yields a text with its line breaks removed, and once more with spaces in their place. */
export function* withoutBreaks(level: Level): Generator<Level> {
  if (!BREAKS.test(level.text)) return;
  for (const instead of ['', ' ']) {
    const joined = rewritten(level, BREAK, () => instead);
    if (joined !== null) yield joined;
  }
}

/** Returns the texts of `withoutBreaks` without positions, which is much faster. */
export function textsWithoutBreaks(text: string): readonly string[] {
  if (!BREAKS.test(text)) return [];
  return [text.replace(BREAK, ''), text.replace(BREAK, ' ')];
}

/** Decodes a character. Bytes that are not UTF-8 are kept. */
function percentDecoded(escapes: string): string {
  try {
    return decodeURIComponent(escapes);
  } catch {
    return escapes;
  }
}

/** Replaces every match and tracks positions. Returns `null` if nothing changes. */
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

/** Returns the start of a character in the original text. */
export function beginOf({ at }: Level, index: number): number {
  return at?.[index] ?? index;
}

/** Returns the end of a character in the original text. */
export function endOf({ at, ends }: Level, index: number): number {
  return ends?.[index] ?? at?.[index + 1] ?? index + 1;
}
