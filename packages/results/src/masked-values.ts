import type { RunCase } from './run-record.ts';

/** How many values were masked, by what each was: the variable that holds it, or its form. Plain JSON. */
export type MaskedCounts = Readonly<Record<string, number>>;

/** As `secretMask` of core writes it. An agent may write the same: so a label is nothing but harmless characters. */
const MARKER = /\[masked: ([A-Za-z_][\w .-]{0,79})\]/g;
/** Repeats the message beside it. */
const STACK = 'stack';
/** More cases than a line of a report can name, so that it knows of others. */
const CASES_KEPT = 4;

/**
 * The values that were masked in a case: in its inferences, and in scores where the inferences have no such value. So a value
 * that a criterion quotes counts once. It is read from what was kept, so that it is right of every run that can be opened.
 */
export function maskedIn({ inferences, result }: Pick<RunCase, 'inferences' | 'result'>): MaskedCounts {
  const counts = new Map<string, number>();
  count(inferences, counts);
  const scored = new Map<string, number>();
  count(result, scored);
  // Reasons are repeated from score to case.
  for (const label of scored.keys()) if (!counts.has(label)) counts.set(label, 1);
  return Object.fromEntries(counts);
}

/** Both together. */
export function addMasked(left: MaskedCounts, right: MaskedCounts): MaskedCounts {
  const sum = new Map(Object.entries(left));
  for (const [label, number] of Object.entries(right)) sum.set(label, (sum.get(label) ?? 0) + number);
  return Object.fromEntries(sum);
}

/** The ids of cases in which something was masked, and no more of them than a line can name. */
export type MaskedCases = readonly string[];

/** With those of more cases; of several variants, an id is there once. */
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
