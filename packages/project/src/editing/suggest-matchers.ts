import { contentText, type Invocation, toolCalls } from '@agent-criteria/core';

/** A matcher of tool_trajectory_avg_score, as written in its options. */
export type Matcher = { readonly ignore: true } | { readonly pattern: string } | { readonly shape: 'date' | 'uuid' };

/** Matchers by tool, then by argument path. */
export type Matchers = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** A position in the arguments of a tool at which the value may differ from run to run. */
export interface Suggestion {
  readonly tool: string;
  readonly path: string;
  /** The kind of value: `a date`, `a time` or `an id`. */
  readonly kind: string;
  readonly matcher: Matcher;
}

type Step = string | typeof each;

/** Represents any item of a list in a path. */
const each = Symbol('each');
const DEEPEST = 50;

/**
 * Finds dates, times and ids in tool arguments, and suggests matchers that accept other values there. Leaves out values
 * that the user mentioned before, which are the same in every run.
 * @param present The matchers that already exist.
 */
export function suggestMatchers(turns: readonly Invocation[], present: Matchers = {}): readonly Suggestion[] {
  const found = new Map<string, Suggestion>();
  const mentioned = new Set<string>();
  for (const turn of turns) {
    for (const word of wordsOf(contentText(turn.userContent))) mentioned.add(word);
    for (const { name, args } of toolCalls(turn)) {
      if (typeof name !== 'string') continue;
      for (const { steps, value } of leaves(args ?? {}, [])) {
        const path = formatPath(steps);
        if ([name, '*'].some((tool) => Object.hasOwn(present, tool) && Object.hasOwn(present[tool] ?? {}, path)))
          continue;
        const suggested = mentioned.has(String(value)) ? null : suggest(value, steps.at(-1));
        if (suggested === null) continue;
        const key = JSON.stringify([name, path]);
        found.set(key, merge(found.get(key), { tool: name, path, ...suggested }));
      }
    }
  }
  return [...found.values()];
}

/** Adds suggested matchers to the existing ones. */
export function withSuggestions(present: Matchers, suggestions: readonly Suggestion[]): Matchers {
  const byTool = new Map(Object.entries(present).map(([tool, byPath]) => [tool, new Map(Object.entries(byPath))]));
  for (const { tool, path, matcher } of suggestions) {
    const byPath = byTool.get(tool) ?? new Map<string, unknown>();
    byTool.set(tool, byPath.set(path, matcher));
  }
  return Object.fromEntries([...byTool].map(([tool, byPath]) => [tool, Object.fromEntries(byPath)]));
}

/** Splits text into words that may be ids or dates, each with and without surrounding punctuation. */
function wordsOf(text: string): readonly string[] {
  return text.split(/[^\w.:/#-]+/).flatMap((word) => [word, word.replace(/^[.:/#-]+|[.:/#-]+$/g, '')]);
}

function* leaves(
  value: unknown,
  steps: readonly Step[],
): Generator<{ steps: readonly Step[]; value: string | number }> {
  if (typeof value === 'string' || typeof value === 'number') yield { steps, value };
  if (typeof value !== 'object' || value === null || steps.length >= DEEPEST) return;
  const items = Array.isArray(value) ? value.map((item) => [each, item] as const) : Object.entries(value);
  for (const [step, item] of items) yield* leaves(item, [...steps, step]);
}

function formatPath(steps: readonly Step[]): string {
  const text = steps
    .map((step) => {
      if (step === each) return '[*]';
      return /^[\p{L}_][\p{L}\p{N}_-]*$/u.test(step) ? `.${step}` : `['${step.replace(/['\\]/g, '\\$&')}']`;
    })
    .join('');
  return text.replace(/^\./, '');
}

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const DATE =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?: ?Z|[+-]\d{2}:?\d{2})?)?$/i;
const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?$/;
/** The smallest number that counts as an id under any key: as long as Unix time in seconds. */
const LONG_NUMBER = 1e9;
/** The maximum pattern length to which an alternative is still added. Beyond it, the argument is ignored instead. */
const LONGEST_PATTERN = 300;

function suggest(value: string | number, key: Step | undefined): Pick<Suggestion, 'kind' | 'matcher'> | null {
  if (typeof value === 'number') {
    // The value of a numeric id can be ignored, whereas that of a quantity matters.
    const isId = typeof key === 'string' && /^id$|_id$|Id$|ID$/.test(key);
    const isLong = Number.isInteger(value) && value >= LONG_NUMBER;
    return isId || isLong ? { kind: 'an id', matcher: { ignore: true } } : null;
  }
  if (DATE.test(value)) return { kind: 'a date', matcher: { shape: 'date' } };
  if (TIME.test(value)) return { kind: 'a time', matcher: { pattern: '[0-9]{2}:[0-9]{2}(:[0-9]{2})?' } };
  if (new RegExp(`^${UUID}$`, 'i').test(value)) return { kind: 'an id', matcher: { shape: 'uuid' } };
  const pattern = idPattern(value);
  return pattern === null ? null : { kind: 'an id', matcher: { pattern } };
}

/**
 * Builds a pattern for ids such as `ORD-1234`, `usr_9f86d081884c` or `20881`: the prefix, then any characters of the
 * same kinds as in the last part.
 */
function idPattern(text: string): string | null {
  if (!/^[\w.:/#-]{1,100}$/.test(text)) return null;
  const withUuid = new RegExp(`^(.+)${UUID}$`, 'i').exec(text);
  if (withUuid !== null) return `${literal(withUuid[1] ?? '')}[0-9A-Fa-f-]{36}`;
  const [, prefix = '', tail = ''] = /^(.*[_.:/#-]|[A-Za-z]*(?=\d+$)|)([0-9A-Za-z]+)$/.exec(text) ?? [];
  const characters = charactersOf(tail, prefix !== '');
  return characters === null ? null : `${literal(prefix)}[${characters}]+`;
}

function charactersOf(tail: string, hasPrefix: boolean): string | null {
  if (/^\d+$/.test(tail)) {
    const isYear = /^(?:19|20)\d\d$/.test(tail);
    return tail.length >= (hasPrefix ? 4 : 6) && !isYear ? '0-9' : null;
  }
  if (!/\d/.test(tail) || !/[A-Za-z]/.test(tail)) return null;
  if (/^[0-9a-f]{8,}$/.test(tail)) return '0-9a-f';
  if (/^[0-9A-F]{8,}$/.test(tail)) return '0-9A-F';
  return tail.length >= 12 ? '0-9A-Za-z' : null;
}

/**
 * Escapes text for RE2. A long number, such as the year in `INV-2026-0815`, is replaced with a pattern for any number.
 */
function literal(text: string): string {
  return text.replace(/\./g, '\\.').replace(/\d{4,}/g, '[0-9]+');
}

function merge(known: Suggestion | undefined, found: Suggestion): Suggestion {
  if (known === undefined) return found;
  const [one, other] = [known.matcher, found.matcher];
  if (JSON.stringify(one) === JSON.stringify(other)) return known;
  const isLong = 'pattern' in one && one.pattern.length > LONGEST_PATTERN;
  if (isLong || !('pattern' in one && 'pattern' in other))
    return { ...known, kind: 'an id', matcher: { ignore: true } };
  return one.pattern.split('|').includes(other.pattern)
    ? known
    : { ...known, matcher: { pattern: `${one.pattern}|${other.pattern}` } };
}
