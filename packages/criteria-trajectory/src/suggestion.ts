import { formatValuePath } from '@agent-criteria/values';
import type { AlignmentRow } from './alignment.ts';
import { type Call, nameOf } from './comparison.ts';
import type { Matcher, Matchers } from './matchers.ts';
import { hasShape } from './shapes.ts';

/** Matchers that would accept the differences, and the kinds of differences. */
export interface Suggestion {
  readonly matchers: Matchers;
  /** For example `a date`, `an id`, `a number`. */
  readonly kinds: readonly string[];
}

/**
 * Suggests matchers that would make these pairs of calls equal, if they differ only in dates, ids and the last digits
 * of numbers. Returns `null` if they differ in anything else, because a matcher for a wrong value would silence the
 * case, or if a path already has a matcher.
 */
export function suggestMatchers(
  rows: readonly AlignmentRow[],
  expected: readonly Call[],
  present: Matchers,
): Suggestion | null {
  const byTool = new Map<string, Map<string, Matcher>>();
  const kinds = new Set<string>();
  for (const row of rows) {
    if (row.kind === 'same') continue;
    if (row.kind !== 'changed') return null;
    const name = nameOf(expected[row.expected]!);
    if (name === null) return null;
    const byPath = byTool.get(name) ?? new Map<string, Matcher>();
    byTool.set(name, byPath);
    for (const difference of row.differences) {
      const [top, ...steps] = difference.path;
      const path = formatValuePath(steps);
      const found = suggestMatcher(difference.expected, difference.actual, steps.at(-1));
      if (top !== 'args' || found === null || Object.hasOwn(present[name] ?? {}, path)) return null;
      byPath.set(path, merge(byPath.get(path), found.matcher));
      kinds.add(found.kind);
    }
  }
  if (kinds.size === 0) return null;
  const matchers = Object.fromEntries([...byTool].map(([tool, byPath]) => [tool, Object.fromEntries(byPath)]));
  return { matchers, kinds: [...kinds] };
}

/** Merges two sets of matchers. */
export function addMatchers(present: Matchers, more: Matchers): Matchers {
  const tools = new Set([...Object.keys(present), ...Object.keys(more)]);
  return Object.fromEntries([...tools].map((tool) => [tool, { ...present[tool], ...more[tool] }]));
}

function suggestMatcher(
  expected: unknown,
  actual: unknown,
  key: unknown,
): { readonly matcher: Matcher; readonly kind: string } | null {
  if (typeof expected === 'number' && typeof actual === 'number') {
    // Ids are not quantities: neighbouring ids are unrelated.
    if (typeof key === 'string' && /^id$|_id$|Id$|ID$/.test(key)) return { matcher: { ignore: true }, kind: 'an id' };
    if (!isRounded(expected, actual)) return null;
    return { matcher: { tolerance: toleranceOf(expected, actual) }, kind: 'a number' };
  }
  if (typeof expected !== 'string' || typeof actual !== 'string') return null;
  for (const shape of ['date', 'uuid'] as const) {
    if (hasShape(expected, shape) && hasShape(actual, shape)) {
      return { matcher: { shape }, kind: shape === 'date' ? 'a date' : 'an id' };
    }
  }
  const pattern = idPattern(expected, actual);
  return pattern === null ? null : { matcher: { pattern }, kind: 'an id' };
}

/** The largest relative change that is attributed to rounding. */
const ROUNDING = 0.01;

/** Whether one number could be the other one rounded. Any other number is wrong, and so is a different integer. */
function isRounded(expected: number, actual: number): boolean {
  if (Number.isInteger(expected) && Number.isInteger(actual)) return false;
  return Math.abs(expected - actual) <= ROUNDING * Math.max(Math.abs(expected), Math.abs(actual));
}

/**
 * Chooses a tolerance of at most three digits that is just large enough to accept the other number, given that a
 * tolerance itself allows for rounding.
 */
function toleranceOf(expected: number, actual: number): number {
  const difference = Math.abs(expected - actual);
  const forgiven = 2 * Number.EPSILON * Math.max(Math.abs(expected), Math.abs(actual));
  const least = difference > forgiven ? difference - forgiven : difference;
  const unit = 10 ** (Math.floor(Math.log10(least)) - 2);
  const rounded = Number((Math.ceil(least / unit) * unit).toPrecision(3));
  // The smallest differences cannot be rounded.
  return rounded >= least ? rounded : difference;
}

/** The minimum length of an id that shares nothing with the other id. Shorter strings are codes or numbers. */
const SHORTEST_ID = 6;

// For `ORD-1234` and `ORD-987`, matches the common prefix up to the last separator or letter, and then the rest. A
// string with white space, or without a digit, is not an id.
function idPattern(expected: string, actual: string): string | null {
  const texts = [expected, actual];
  if (!texts.every((text) => /^[\w.:/#-]{1,100}$/.test(text) && /\d/.test(text))) return null;
  let shared = 0;
  while (shared < expected.length && expected[shared] === actual[shared]) shared++;
  const prefix = expected.slice(0, shared).replace(/[0-9A-Za-z]*\d[0-9A-Za-z]*$/, '');
  if (!/[A-Za-z]/.test(prefix) && texts.some((text) => text.length < SHORTEST_ID)) return null;
  const rests = texts.map((text) => text.slice(prefix.length));
  const characters = ['0-9', '0-9a-f', '0-9A-Za-z', '0-9A-Za-z_-'].find((range) =>
    rests.every((rest) => new RegExp(`^[${range}]+$`).test(rest)),
  );
  return characters === undefined ? null : `${prefix.replace(/[.]/g, '\\.')}[${characters}]+`;
}

function merge(known: Matcher | undefined, found: Matcher): Matcher {
  if (known === undefined || JSON.stringify(known) === JSON.stringify(found)) return found;
  if (known.tolerance !== undefined && found.tolerance !== undefined) {
    return { tolerance: Math.max(known.tolerance, found.tolerance) };
  }
  return { ignore: true };
}
