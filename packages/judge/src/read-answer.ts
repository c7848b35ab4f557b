import { isDeepStrictEqual } from 'node:util';
import { jsonrepair } from 'jsonrepair';
import { isObject } from './answer-fields.ts';

/** The maximum length of an answer. Real answers are shorter. */
const LONGEST_ANSWER = 1_000_000;
/** The maximum nesting depth. Real answers are shallower. */
const DEEPEST = 64;
/** The maximum number of objects to examine, counted from the end. */
const MOST_OBJECTS = 1_000;
/** Limits on repairs, which take time proportional to the square of the first limit and the cube of the second. */
const LONGEST_REPAIR = 50_000;
const MOST_LOOSE_QUOTES = 200;
/** The number of letters that are enough to recognise a quote. */
const QUOTED_LETTERS = 200;
/**
 * The minimum number of letters for a whole answer to count as a copy. A shorter one may occur in the judged text by
 * chance.
 */
const SHORTEST_COPY = 40;

/** A value read from an answer, or the reason why there is none. */
export type Reading<T> = { readonly value: T } | { readonly problem: string };

/**
 * Reads the requested object from a judge's answer: bare JSON, or JSON with mistakes that language models commonly make
 * (fences, surrounding prose, comments, trailing commas, raw newlines). If several objects have the same verdict, the
 * last complete one wins. If one contradicts another, even one nested inside another, none of them counts. Nor does
 * anything that the judge only quotes: an object that shares a part with the judged text counts only if it is the whole
 * answer, as valid JSON, and not a copy of more than a few words. An object with a repeated key never counts.
 *
 * @param read Returns `undefined` for an object that does not have the requested form.
 * @param judged Everything that the judge saw, as strings.
 * @param says Returns the verdict in a value. Default: the whole value.
 * @param required The keys that the object must have, used to describe a problem.
 */
export function readAnswer<T>(
  text: string,
  read: (value: unknown) => T | undefined,
  judged: readonly string[],
  says: (value: T) => unknown = (value) => value,
  required: readonly string[] = [],
): Reading<T> {
  const bare = unfenced(text);
  if (bare === '') return { problem: 'the answer was empty' };
  if (bare.length > LONGEST_ANSWER) return { problem: 'the answer was too long to read' };
  const foreign = foreignLetters(judged);
  const isQuoted = ({ value, source = JSON.stringify(value) }: Found): boolean =>
    isForeign(source, value, foreign) || beginsEntry(source, foreign);
  const taken = (value: T, found: readonly Found[]): Reading<T> => {
    const verdict = says(value);
    const others = found.flatMap(withInner).filter((one) => {
      const said = readOne(one.value, read);
      // If a key is repeated, only its last value was read.
      return said !== undefined && (one.twice || !isDeepStrictEqual(says(said), verdict));
    });
    const contradicts = others.length > MOST_OBJECTS || !others.every(isQuoted);
    return contradicts ? { problem: 'the answer gives two verdicts that contradict each other' } : { value };
  };
  const whole = parse(bare);
  const wholeValue = whole === undefined || whole.twice ? undefined : readOne(whole.value, read);
  if (whole !== undefined && wholeValue !== undefined) {
    if (beginsEntry(bare, foreign)) return { problem: 'a quotation closes one entry of the answer and opens another' };
    const letters = lettersOf(bare);
    if (letters.length >= SHORTEST_COPY && foreign(letters))
      return { problem: 'the answer is copied from the material' };
    return taken(wholeValue, [{ ...whole, source: bare, torn: false }]);
  }
  const found = objectsIn(bare);
  let quotes = false;
  for (const one of [...found].reverse()) {
    const value = one.twice || one.torn ? undefined : readOne(one.value, read);
    if (value === undefined) continue;
    if (!isQuoted(one)) return taken(value, found);
    quotes = true;
  }
  if (quotes) return { problem: 'the answer only quotes the material' };
  const lacks = lackingText(whole?.value ?? found.at(-1)?.value, required, bare);
  return { problem: lacks ?? `the answer contains no object of the requested form: ${shown(bare)}` };
}

/** Lists the keys that an object lacks, or returns `undefined` if there are none or the value is not an object. */
function lackingText(value: unknown, keys: readonly string[], answer: string): string | undefined {
  const object = Array.isArray(value) && value.length === 1 ? value[0] : value;
  const missing = isObject(object) ? keys.filter((key) => !Object.hasOwn(object, key)) : [];
  if (missing.length === 0) return undefined;
  return `the answer has no ${missing.map((key) => `"${key}"`).join(' and no ')}: ${shown(answer)}`;
}

/** Lists an object and all objects nested in it. */
function withInner(found: Found): readonly Found[] {
  return [found, ...innerObjects(found.value).map((value) => ({ ...found, value, source: undefined }))];
}

function innerObjects(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((inner: unknown) => {
    const own = isObject(inner) ? [inner] : [];
    return [...own, ...innerObjects(inner)];
  });
}

/** Reads a value, or the item of a single-item list. */
function readOne<T>(value: unknown, read: (value: unknown) => T | undefined): T | undefined {
  const own = read(value);
  if (own !== undefined) return own;
  return Array.isArray(value) && value.length === 1 ? read(value[0]) : undefined;
}

/** Removes a code fence around the whole answer. */
function unfenced(text: string): string {
  const trimmed = text.trim();
  const inside = /^```[a-z0-9]*[ \t]*\r?\n([\s\S]*)\n[ \t]*```$/i.exec(trimmed)?.[1];
  return inside === undefined || inside.includes('```') ? trimmed : inside.trim();
}

interface Found extends Parsed {
  /** The original text. Absent for nested objects, whose value is serialised instead. */
  readonly source?: string | undefined;
  /** Whether its end is missing, so that only its beginning was read. */
  readonly torn: boolean;
}

/** Lists the outermost objects and lists, in order. */
function objectsIn(text: string): Found[] {
  const repairs = text.length <= LONGEST_REPAIR && looseQuotes(text) <= MOST_LOOSE_QUOTES;
  const found: Found[] = [];
  const keep = (source: string, torn: boolean, parsed: Parsed | undefined) => {
    if (parsed !== undefined) found.push({ ...parsed, source, torn });
  };
  const keepTorn = (gap: string) => {
    const begins = gap.indexOf('{');
    if (repairs && begins >= 0) keep(gap.slice(begins), true, repaired(gap.slice(begins)));
  };
  const spans = spansOf(text).slice(-MOST_OBJECTS);
  let before = spans.length < MOST_OBJECTS ? 0 : (spans[0]?.[0] ?? 0);
  for (const [start, end] of spans) {
    keepTorn(text.slice(before, start));
    const source = text.slice(start, end);
    keep(source, false, parse(source) ?? (repairs ? repaired(source) : undefined));
    before = end;
  }
  keepTorn(text.slice(before));
  return found;
}

/** Counts the quotes that are not next to JSON punctuation, which make a repair slow. */
function looseQuotes(text: string): number {
  const [all, tight] = [/["'`´‘’“”]/g, /[{[:,]\s*["'`´‘’“”]|["'`´‘’“”](?=\s?[\]}:,])/g];
  return count(text, all) - count(text, tight);
}

function count(text: string, pattern: RegExp): number {
  let found = 0;
  for (const _ of text.matchAll(pattern)) found += 1;
  return found;
}

const known = new WeakMap<readonly string[], readonly string[]>();

/** Returns a function that checks whether letters occur in any of these strings, with or without comments. */
function foreignLetters(judged: readonly string[]): (letters: string) => boolean {
  return (letters) => {
    // All samples share the same strings.
    const texts =
      known.get(judged) ?? [...new Set(judged.flatMap((text) => [text, text.replace(COMMENT, '')]))].map(lettersOf);
    known.set(judged, texts);
    const wanted = letters.slice(0, QUOTED_LETTERS);
    return texts.some((text) => text.includes(wanted));
  };
}

const COMMENT = /\/\*[^*]{0,1000}\*\/|\/\/[^\n]{0,1000}/g;

/** Returns the letters and digits of a string, which do not depend on quotes, escapes, white space or nesting. */
function lettersOf(text: string): string {
  const plain = text
    .replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\[bfnrt]|&(?:[a-z]{2,6}|#x?[0-9a-f]{1,6});/gi, '');
  // A faster equivalent for ASCII.
  if (!/[\u0080-\uffff]/.test(plain)) return plain.toLowerCase().replace(/[^a-z0-9]+/g, '');
  return plain
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

/**
 * Whether someone else wrote an essential part of an object: its beginning or end, as read or as written, or an entry
 * without nested entries. This is the case for a quote, even if it is shortened or runs into the judge's own words, and
 * for an object of the judge's own that is cut off by a quote.
 */
function isForeign(source: string, object: unknown, foreign: (letters: string) => boolean): boolean {
  const written = lettersOf(source);
  const begins = lettersOf(beginningOf(object));
  const ends = lettersOf(JSON.stringify(lastEntry(object)));
  const parts = [begins, written.slice(0, begins.length), ends, written.slice(-ends.length)];
  const entries = isObject(object) ? Object.entries(object) : [];
  const simple = entries.filter(([, value]) => typeof value !== 'object' && value !== '');
  return [...parts, ...simple.map((entry) => lettersOf(JSON.stringify(entry)))].some(foreign);
}

/** Matches the boundary between two list entries: the last key and value of one, and the first of the next. */
const BOUNDARY = /"(\w{1,40})"\s*:\s*"([^"\\]{0,100})"\s*\}\s*,\s*\{\s*"(\w{1,40})"\s*:\s*("[^"\\]{0,100}"|\d{1,9})/g;

/**
 * Whether someone else wrote such a boundary, which means that an unescaped quote has moved the judge's verdict to
 * another entry.
 */
function beginsEntry(source: string, foreign: (letters: string) => boolean): boolean {
  for (const [, ...parts] of source.matchAll(BOUNDARY)) if (foreign(lettersOf(parts.join(' ')))) return true;
  return false;
}

/** Returns the first value that contains no other values, preceded by the keys that lead to it. */
function beginningOf(object: unknown): string {
  const parts: unknown[] = [];
  let inner = object;
  while (typeof inner === 'object' && inner !== null) {
    const [first] = Object.entries(inner);
    if (!Array.isArray(inner)) parts.push(first?.[0]);
    inner = first?.[1];
  }
  return JSON.stringify([...parts, inner]);
}

/** Returns the last entry, or the last entry of the last object in it. */
function lastEntry(object: unknown): unknown {
  let entry = object;
  let inner = object;
  while (typeof inner === 'object' && inner !== null) {
    const last = Object.entries(inner).at(-1);
    if (last === undefined) break;
    if (!Array.isArray(inner)) entry = Object.fromEntries([last]);
    inner = last[1];
  }
  return entry;
}

interface Parsed {
  readonly value: unknown;
  /** Whether an object repeats a key, so that its value is ambiguous and may be a quote. */
  readonly twice: boolean;
}

/** Parses JSON, unless it is nested too deeply. */
function parse(json: string): Parsed | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isTooDeep(value) ? undefined : { value, twice: repeatsKey(json) };
  } catch {
    return undefined;
  }
}

function repaired(text: string): Parsed | undefined {
  try {
    return parse(jsonrepair(text));
  } catch {
    return undefined;
  }
}

function isTooDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; depth <= DEEPEST; depth++) {
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
    if (level.length === 0) return false;
  }
  return true;
}

/** Whether valid JSON repeats a key, ignoring case and surrounding white space. Takes linear time. */
function repeatsKey(json: string): boolean {
  const open: Set<string>[] = [];
  for (let at = 0; at < json.length; at++) {
    const character = json[at];
    if (character === '{' || character === '[') open.push(new Set());
    else if (character === '}' || character === ']') open.pop();
    if (character !== '"') continue;
    const end = endOfText(json, at) ?? json.length;
    let next = end + 1;
    while (next < json.length && ' \t\r\n'.includes(json[next] ?? '')) next += 1;
    if (json[next] === ':') {
      const key = String(JSON.parse(json.slice(at, end + 1)))
        .trim()
        .toLowerCase();
      if (open.at(-1)?.has(key)) return true;
      open.at(-1)?.add(key);
    }
    at = end;
  }
  return false;
}

/**
 * Finds the spans of the outermost braces and brackets, in order, in linear time. Skips brackets in prose that never
 * close. Double-quoted strings inside an object may contain any bracket.
 */
function spansOf(text: string): (readonly [start: number, end: number])[] {
  const open: { readonly at: number; readonly close: string }[] = [];
  const spans: (readonly [number, number])[] = [];
  let quotesEnd = true;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"' && open.length > 0 && quotesEnd) {
      const end = endOfText(text, at);
      // No later string would be closed either.
      quotesEnd = end !== undefined;
      at = end ?? at;
    } else if (character === '{' || character === '[') {
      open.push({ at, close: character === '{' ? '}' : ']' });
    } else if (character === '}' || character === ']') {
      const index = lastOpen(open, character);
      if (index === undefined) continue;
      const start = open[index]?.at ?? at;
      open.length = index;
      // Spans inside this one are part of it.
      while ((spans.at(-1)?.[0] ?? -1) > start) spans.pop();
      spans.push([start, at + 1]);
    }
  }
  return spans;
}

/**
 * Finds the bracket that this one closes, within the maximum depth, because a full search would take quadratic time.
 */
function lastOpen(open: readonly { readonly close: string }[], close: string): number | undefined {
  for (let index = open.length - 1; index >= 0 && index >= open.length - DEEPEST; index--) {
    if (open[index]?.close === close) return index;
  }
  return undefined;
}

/** Finds the end of the quoted string that starts here, or returns `undefined` if there is none. */
function endOfText(text: string, start: number): number | undefined {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at;
  }
  return undefined;
}

function shown(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 120 ? `"${line.slice(0, 120)}…"` : `"${line}"`;
}
