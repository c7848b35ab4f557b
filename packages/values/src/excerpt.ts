import type { Json } from '@agent-criteria/core';
import { isBranch, presentKeys } from './equality.ts';

/** The remaining number of characters for excerpts. Several values can share it, and each reduces it. */
export interface Budget {
  characters: number;
}

const longestText = 1_000;
const deepest = 30;
// The cost of a value in addition to the length of its text.
const perValue = 4;

/** Copies a value as plain JSON of limited size. Long texts are truncated, and omitted values are replaced by `"…"`. */
export function excerpt(value: unknown, budget: Budget, depth = 0): Json {
  budget.characters -= perValue;
  if (budget.characters < 0 || (depth > deepest && isBranch(value))) return '…';
  if (Array.isArray(value)) {
    const items: Json[] = [];
    for (const item of value) {
      items.push(excerpt(item, budget, depth + 1));
      if (budget.characters < 0) break;
    }
    return items;
  }
  if (isBranch(value)) {
    const entries: [string, Json][] = [];
    for (const key of presentKeys(value)) {
      const name = truncate(key, budget);
      entries.push([name, excerpt((value as Record<string, unknown>)[key], budget, depth + 1)]);
      if (budget.characters < 0) break;
    }
    // Object.fromEntries also defines an own key `__proto__`.
    return Object.fromEntries(entries);
  }
  if (typeof value === 'string') return truncate(value, budget);
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  return typeof value === 'boolean' ? value : value === null || value === undefined ? null : String(value);
}

/** Formats a value on one short line, for use in a sentence. */
export function brief(value: unknown): string {
  const text = JSON.stringify(excerpt(value, { characters: 200 }));
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}

function truncate(text: string, budget: Budget): string {
  const shown = text.length > longestText ? `${text.slice(0, longestText)}… (${text.length} characters)` : text;
  budget.characters -= shown.length;
  return shown;
}
