import { isDeepStrictEqual } from 'node:util';
import { jsonrepair } from 'jsonrepair';

/** Longer than any answer that was asked for; what is longer is no opinion. */
const LONGEST_ANSWER = 1_000_000;
/** Deeper than any answer that was asked for. */
const DEEPEST = 64;
/** An answer that holds more objects than these is no answer. */
const MOST_OBJECTS = 1_000;
/** The time that a repair takes grows with the square of the first and the cube of the second. */
const LONGEST_REPAIR = 50_000;
const MOST_LOOSE_QUOTES = 200;
/** So many letters are enough to know a quotation by. */
const QUOTED_LETTERS = 200;
/** A whole answer of fewer letters may say by chance what stands in a text. */
const SHORTEST_COPY = 40;

/** What was read of an answer, or why nothing was. */
export type Reading<T> = { readonly value: T } | { readonly problem: string };

/**
 * Reads the object that a judge was asked for out of what it wrote: bare JSON, else JSON with the slips of language models
 * (fences, prose around it, comments, trailing commas, raw newlines). Of several that say the same, the last complete one is
 * taken; where one contradicts another, also one inside of another, none is. What the judge only quotes says nothing: an object
 * of which a part stands in what was judged is taken only where the whole answer is that object, as JSON, and no copy of
 * more than a few words. One that says a key twice is none.
 *
 * @param read Gives `undefined` for an object that is not what was asked for.
 * @param judged What the judge was shown.
 * @param says What of a value is its verdict. Default: all of it.
 */
export function readAnswer<T>(
  text: string,
  read: (value: unknown) => T | undefined,
  judged: readonly string[],
  says: (value: T) => unknown = (value) => value,
): Reading<T> {
  const bare = unfenced(text);
  if (bare === '') return { problem: 'the answer was empty' };
  if (bare.length > LONGEST_ANSWER) return { problem: 'the answer was too long to be read' };
  const foreign = foreignLetters(judged);
  const isQuoted = ({ value, source = JSON.stringify(value) }: Found): boolean =>
    isForeign(source, value, foreign) || beginsEntry(source, foreign);
  const taken = (value: T, found: readonly Found[]): Reading<T> => {
    const verdict = says(value);
    const others = found.flatMap(withInner).filter((one) => {
      const said = readOne(one.value, read);
      // Of two values under one key only the last was read.
      return said !== undefined && (one.twice || !isDeepStrictEqual(says(said), verdict));
    });
    const contradicts = others.length > MOST_OBJECTS || !others.every(isQuoted);
    return contradicts ? { problem: 'the answer gives two verdicts that contradict each other' } : { value };
  };
  const whole = parse(bare);
  const wholeValue = whole === undefined || whole.twice ? undefined : readOne(whole.value, read);
  if (whole !== undefined && wholeValue !== undefined) {
    if (beginsEntry(bare, foreign)) return { problem: 'a quotation ends one entry of the answer and begins another' };
    const letters = lettersOf(bare);
    if (letters.length >= SHORTEST_COPY && foreign(letters)) {
      return { problem: 'the answer is copied from what it was to judge' };
    }
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
  if (quotes) return { problem: 'the answer only quotes what it was to judge' };
  return { problem: `the answer holds no object as it was asked for: ${shown(bare)}` };
}

/** An object, and all that stand in it. */
function withInner(found: Found): readonly Found[] {
  return [found, ...innerObjects(found.value).map((value) => ({ ...found, value, source: undefined }))];
}

function innerObjects(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((inner: unknown) => {
    const own = typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? [inner] : [];
    return [...own, ...innerObjects(inner)];
  });
}

/** A list of one is what was asked for, too. */
function readOne<T>(value: unknown, read: (value: unknown) => T | undefined): T | undefined {
  const own = read(value);
  if (own !== undefined) return own;
  return Array.isArray(value) && value.length === 1 ? read(value[0]) : undefined;
}

/** Without a code fence around the whole. */
function unfenced(text: string): string {
  const trimmed = text.trim();
  const inside = /^```[a-z0-9]*[ \t]*\r?\n([\s\S]*)\n[ \t]*```$/i.exec(trimmed)?.[1];
  return inside === undefined || inside.includes('```') ? trimmed : inside.trim();
}

interface Found extends Parsed {
  /** Absent: as JSON would have it. */
  readonly source?: string | undefined;
  /** It has no end, and was read as far as it goes. */
  readonly torn: boolean;
}

/** All objects and lists that stand in no other, in order. */
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

/** Quotes that stand neither after nor before what stands between JSON's values: what makes a repair slow. */
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

/** Whether letters stand in any of these texts; with and without what would be a comment. */
function foreignLetters(judged: readonly string[]): (letters: string) => boolean {
  return (letters) => {
    // All samples of a judge are shown the same.
    const texts =
      known.get(judged) ?? [...new Set(judged.flatMap((text) => [text, text.replace(COMMENT, '')]))].map(lettersOf);
    known.set(judged, texts);
    const wanted = letters.slice(0, QUOTED_LETTERS);
    return texts.some((text) => text.includes(wanted));
  };
}

const COMMENT = /\/\*[^*]{0,1000}\*\/|\/\/[^\n]{0,1000}/g;

/** Letters and digits alone: what stays of a text however it is quoted, escaped, spaced or nested in others. */
function lettersOf(text: string): string {
  const plain = text
    .replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\[bfnrt]|&(?:[a-z]{2,6}|#x?[0-9a-f]{1,6});/gi, '');
  // The same with less work, for every answer in English.
  if (!/[\u0080-\uffff]/.test(plain)) return plain.toLowerCase().replace(/[^a-z0-9]+/g, '');
  return plain
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

/**
 * Whether somebody else wrote a part of an object that it cannot be without: how it begins, how it ends, as it was read or
 * as it was written, or an entry that holds no others. That is so for a quotation, also for a shortened one and for one
 * that runs into words of the judge, and for an object of the judge's that a quotation cuts off.
 */
function isForeign(source: string, object: unknown, foreign: (letters: string) => boolean): boolean {
  const written = lettersOf(source);
  const begins = lettersOf(beginningOf(object));
  const ends = lettersOf(JSON.stringify(lastEntry(object)));
  const parts = [begins, written.slice(0, begins.length), ends, written.slice(-ends.length)];
  const entries = typeof object === 'object' && object !== null && !Array.isArray(object) ? Object.entries(object) : [];
  const simple = entries.filter(([, value]) => typeof value !== 'object' && value !== '');
  return [...parts, ...simple.map((entry) => lettersOf(JSON.stringify(entry)))].some(foreign);
}

/** Where one entry of a list ends and the next begins: the last key and value of the one, the first of the other. */
const BOUNDARY = /"(\w{1,40})"\s*:\s*"([^"\\]{0,100})"\s*\}\s*,\s*\{\s*"(\w{1,40})"\s*:\s*("[^"\\]{0,100}"|\d{1,9})/g;

/** Whether somebody else wrote such a boundary: a judge that did not escape what it quotes has given its verdict to another entry. */
function beginsEntry(source: string, foreign: (letters: string) => boolean): boolean {
  for (const [, ...parts] of source.matchAll(BOUNDARY)) if (foreign(lettersOf(parts.join(' ')))) return true;
  return false;
}

/** The keys that lead to the first value that holds no others, and that value. */
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

/** The last entry, or that of the last object in it. */
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
  /** An object says a key twice: nobody can tell which of two values is meant, and one of them may be a quotation. */
  readonly twice: boolean;
}

/** JSON that is not too deep. */
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

/** Whether an object says a key twice, in capitals or with white space too. Of valid JSON; linear. */
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
 * Where braces and brackets open and close again, outermost first come; linear. Brackets in prose that never close are
 * passed over. Texts in double quotes inside an object may hold any bracket.
 */
function spansOf(text: string): (readonly [start: number, end: number])[] {
  const open: { readonly at: number; readonly close: string }[] = [];
  const spans: (readonly [number, number])[] = [];
  let quotesEnd = true;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"' && open.length > 0 && quotesEnd) {
      const end = endOfText(text, at);
      // None that follows would end either.
      quotesEnd = end !== undefined;
      at = end ?? at;
    } else if (character === '{' || character === '[') {
      open.push({ at, close: character === '{' ? '}' : ']' });
    } else if (character === '}' || character === ']') {
      const index = lastOpen(open, character);
      if (index === undefined) continue;
      const start = open[index]?.at ?? at;
      open.length = index;
      // What stands inside of it is no answer of its own.
      while ((spans.at(-1)?.[0] ?? -1) > start) spans.pop();
      spans.push([start, at + 1]);
    }
  }
  return spans;
}

/** Which one a bracket closes. Not further back than an answer is deep: a search of all would take quadratic time. */
function lastOpen(open: readonly { readonly close: string }[], close: string): number | undefined {
  for (let index = open.length - 1; index >= 0 && index >= open.length - DEEPEST; index--) {
    if (open[index]?.close === close) return index;
  }
  return undefined;
}

/** Where the text in quotes ends that begins here; `undefined`: it does not. */
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
