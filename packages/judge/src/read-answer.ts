import { jsonrepair } from 'jsonrepair';

/** Longer than any answer that was asked for; what is longer is no opinion. */
const LONGEST_ANSWER = 1_000_000;
/** Deeper than any answer that was asked for. */
const DEEPEST = 64;
/** An answer that holds more objects than these is no answer. */
const MOST_OBJECTS = 1_000;
const MOST_FOREIGN = 20_000;

/** What was read of an answer, or why nothing was. */
export type Reading<T> = { readonly value: T } | { readonly problem: string };

/**
 * Reads the object that a judge was asked for out of what it wrote: bare JSON, else JSON with the slips of language models
 * (fences, prose around it, comments, trailing commas, raw newlines). Of several, the last complete one that can be read
 * wins; but never one that the judge only quotes: an object that stands in what was judged is taken only where the whole
 * answer is nothing else. Neither its layout nor what stands around it there matters.
 *
 * @param read Gives `undefined` for an object that is not what was asked for.
 * @param judged What the judge was shown.
 */
export function readAnswer<T>(
  text: string,
  read: (value: unknown) => T | undefined,
  judged: readonly string[],
): Reading<T> {
  const bare = unfenced(text);
  if (bare === '') return { problem: 'the answer was empty' };
  if (bare.length > LONGEST_ANSWER) return { problem: 'the answer was too long to be read' };
  const whole = parse(bare);
  if (whole !== undefined) {
    const value = readOne(whole.value, read);
    if (value !== undefined) return { value };
  }
  const found = objectsIn(bare).flatMap((object) => {
    const value = readOne(object.value, read);
    return value === undefined ? [] : [{ object, value }];
  });
  if (found.length === 0) return { problem: `the answer holds no object as it was asked for: ${shown(bare)}` };
  const foreign = new Set<string>();
  for (const one of judged) collectObjects(one, foreign);
  // Whoever wants an object to be quoted may hide it from a reader of objects, but not from a search.
  const shownTexts = judged.map(withoutForm);
  const isQuote = ({ value: object, written }: Found): boolean => {
    const edge = Array.isArray(object) ? 2 : 1;
    const inner = withoutForm(written).slice(edge, -edge);
    return foreign.has(canonical(object)) || shownTexts.some((one) => one.includes(inner));
  };
  const last = found.findLast(({ object }) => !isQuote(object));
  if (last === undefined) return { problem: 'the answer only quotes what it was to judge' };
  return { value: last.value };
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

interface Found {
  readonly value: unknown;
  /** As it stands in the text. */
  readonly written: string;
}

/** All complete objects and lists that stand in no other, in order. */
function objectsIn(text: string): Found[] {
  return spansOf(text)
    .slice(-MOST_OBJECTS)
    .flatMap(([start, end]) => {
      const written = text.slice(start, end);
      const parsed = parse(written);
      return parsed === undefined ? [] : [{ value: parsed.value, written }];
    });
}

/** Without white space and escapes: the same for a text and for a quote of it in JSON, however deep. */
function withoutForm(text: string): string {
  return text.replace(/\\+[nrt]?|\s/g, '');
}

/** Every object that stands in a text, also inside of others and inside of their texts, up to a bound. */
function collectObjects(text: string, found: Set<string>, nesting = 0): void {
  const waiting = objectsIn(text).map(({ value }): unknown => value);
  for (let value = waiting.pop(); value !== undefined && found.size < MOST_FOREIGN; value = waiting.pop()) {
    if (typeof value === 'string') {
      if (nesting < 2 && value.includes('{')) collectObjects(value, found, nesting + 1);
    } else if (typeof value === 'object' && value !== null) {
      found.add(canonical(value));
      waiting.push(...Object.values(value));
    }
  }
}

/** The same text for equal values, whatever the order of their keys. No deeper than what was parsed. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join()}}`;
}

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return repaired(text);
  }
}

/** Only what is complete is repaired: an end that is missing may have held anything. */
function repaired(text: string): { readonly value: unknown } | undefined {
  const [span, ...others] = spansOf(text);
  if (span === undefined || others.length > 0 || span[0] !== 0 || span[1] !== text.length) return undefined;
  try {
    return { value: JSON.parse(jsonrepair(text)) };
  } catch {
    return undefined;
  }
}

/**
 * Where braces and brackets open and close again, outermost first come; linear. Brackets in prose that never close are
 * passed over. Texts in double quotes inside an object may hold any bracket.
 */
function spansOf(text: string): (readonly [start: number, end: number])[] {
  const open: { readonly at: number; readonly close: string }[] = [];
  let spans: (readonly [number, number])[] = [];
  let deepest = 0;
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
      deepest = Math.max(deepest, open.length);
    } else if (character === '}' || character === ']') {
      const index = open.findLastIndex(({ close }, place) => close === character && place >= open.length - DEEPEST);
      if (index === -1) continue;
      const start = open[index]?.at ?? at;
      open.length = index;
      // What stands inside of it is no answer of its own.
      while ((spans.at(-1)?.[0] ?? -1) > start) spans.pop();
      spans.push([start, at + 1]);
    }
  }
  if (deepest > DEEPEST) spans = spans.filter(([start, end]) => depthOf(text.slice(start, end)) <= DEEPEST);
  return spans;
}

/** Where the text in quotes ends that begins here; `undefined`: it does not. */
function endOfText(text: string, start: number): number | undefined {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at;
  }
  return undefined;
}

/** How deep brackets nest, those in texts included. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const character of text) {
    if (character === '{' || character === '[') deepest = Math.max(deepest, ++depth);
    else if (character === '}' || character === ']') depth -= 1;
  }
  return deepest;
}

function shown(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 120 ? `"${line.slice(0, 120)}…"` : `"${line}"`;
}
