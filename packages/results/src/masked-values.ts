import type { RunCase } from './run-record.ts';

/** Counts of masked values, by the name of the variable that holds them or by their format. Plain JSON. */
export type MaskedCounts = Readonly<Record<string, number>>;

/**
 * Matches the output of `secretMask`. An agent can write the same text, so only harmless characters are allowed in a
 * label.
 */
const MARKER = /\[masked: ([A-Za-z_][\w .-]{0,79})\]/g;
/** The key to skip, because a stack repeats the error message. */
const STACK = 'stack';
/** One more than a report lists, so that the report can mention that there are others. */
const CASES_KEPT = 4;

/**
 * Counts the masked values in a case: those in its inferences, plus those in scores that are absent from the
 * inferences, so that a quoted value counts once. Works on stored data, so for any run that can be opened.
 */
export function maskedIn({ inferences, result }: Pick<RunCase, 'inferences' | 'result'>): MaskedCounts {
  const counts = new Map<string, number>();
  count(inferences, counts);
  const scored = new Map<string, number>();
  count(result, scored);
  // A reason is repeated at several levels of a result, so each value counts once.
  for (const label of scored.keys()) if (!counts.has(label)) counts.set(label, 1);
  return Object.fromEntries(counts);
}

export function addMasked(left: MaskedCounts, right: MaskedCounts): MaskedCounts {
  const sum = new Map(Object.entries(left));
  for (const [label, number] of Object.entries(right)) sum.set(label, (sum.get(label) ?? 0) + number);
  return Object.fromEntries(sum);
}

/** The ids of cases that contain masked values, limited to as many as a report needs. */
export type MaskedCases = readonly string[];

/** Merges case ids without repeating the ids of cases that several variants ran. */
export function addMaskedCases(left: MaskedCases, right: MaskedCases): MaskedCases {
  const added = right.filter((id) => !left.includes(id));
  return added.length === 0 || left.length >= CASES_KEPT ? left : [...left, ...added].slice(0, CASES_KEPT);
}

function count(value: unknown, counts: Map<string, number>): void {
  const left: unknown[] = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next === 'string') {
      if (!next.includes('[masked: ')) continue;
      for (const [, label = ''] of next.matchAll(MARKER)) counts.set(label, (counts.get(label) ?? 0) + 1);
    } else if (Array.isArray(next)) for (const item of next) left.push(item);
    else if (typeof next === 'object' && next !== null) {
      for (const [key, item] of Object.entries(next)) if (key !== STACK) left.push(key, item);
    }
  }
}
