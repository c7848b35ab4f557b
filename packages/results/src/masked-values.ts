import type { RunCase } from './run-record.ts';

/** Counts of masked values, by the variable that contains them or by their form. Plain JSON. */
export type MaskedCounts = Readonly<Record<string, number>>;

/** The format of `secretMask`. An agent may write the same, so a label may only contain harmless characters. */
const MARKER = /\[masked: ([A-Za-z_][\w .-]{0,79})\]/g;
/** Repeats the error message. */
const STACK = 'stack';
/** One more than a report names, so that it can mention others. */
const CASES_KEPT = 4;

/**
 * Counts the masked values of a case: those in its inferences, and in scores if the inferences do not have them, so that a quoted value
 * counts once. Works on stored data, so it is right for every run that can be opened.
 */
export function maskedIn({ inferences, result }: Pick<RunCase, 'inferences' | 'result'>): MaskedCounts {
  const counts = new Map<string, number>();
  count(inferences, counts);
  const scored = new Map<string, number>();
  count(result, scored);
  // Reasons of scores are repeated in cases.
  for (const label of scored.keys()) if (!counts.has(label)) counts.set(label, 1);
  return Object.fromEntries(counts);
}

export function addMasked(left: MaskedCounts, right: MaskedCounts): MaskedCounts {
  const sum = new Map(Object.entries(left));
  for (const [label, number] of Object.entries(right)) sum.set(label, (sum.get(label) ?? 0) + number);
  return Object.fromEntries(sum);
}

/** The ids of cases with masked values, as many as a report needs. */
export type MaskedCases = readonly string[];

/** Adds case ids, each once whatever the number of variants. */
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
