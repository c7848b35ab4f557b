import type { Json } from '@agent-criteria/core';
import { isBranch, presentKeys } from './equality.ts';

/** How much of values is still to be shown, in characters. Shared by the values of one report, and used up by them. */
export interface Budget {
  characters: number;
}

const longestText = 1_000;
const deepest = 30;
// What a value costs beside its text.
const perValue = 4;

/** A copy of a value as plain JSON of a bounded size: long texts are cut, and `"…"` stands for what is left out. */
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
      const name = cut(key, budget);
      entries.push([name, excerpt((value as Record<string, unknown>)[key], budget, depth + 1)]);
      if (budget.characters < 0) break;
    }
    // Defines own keys, also one that is called `__proto__`.
    return Object.fromEntries(entries);
  }
  if (typeof value === 'string') return cut(value, budget);
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  return typeof value === 'boolean' ? value : value === null || value === undefined ? null : String(value);
}

/** A value on one short line, for a sentence. */
export function brief(value: unknown): string {
  const text = JSON.stringify(excerpt(value, { characters: 200 }));
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}

function cut(text: string, budget: Budget): string {
  const shown = text.length > longestText ? `${text.slice(0, longestText)}… (${text.length} characters)` : text;
  budget.characters -= shown.length;
  return shown;
}
