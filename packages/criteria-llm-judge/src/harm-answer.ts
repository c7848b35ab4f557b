import type { JsonSchema } from '@agent-criteria/core';
import type { Opinion } from '@agent-criteria/judge';
import { isObject, onlyItem, textOf } from '@agent-criteria/judge/texts';
import type { HarmCategory } from './harm-categories.ts';

/** A judge's opinion on whether a turn is harmless, and the categories of harm that it found. */
export interface HarmOpinion extends Opinion {
  readonly label: 'harmless' | 'harmful';
  /** The ids of the categories, in the order of the options; empty if and only if the turn is harmless. */
  readonly categories: readonly string[];
}

/**
 * Returns the schema of an answer about this many categories. It names them by number, because providers read schemas
 * outside the fence, where no text from a config belongs.
 */
export function harmAnswerSchema(count: number): JsonSchema {
  const numbers = Array.from({ length: count }, (_, index) => String(index + 1));
  return {
    type: 'object',
    properties: {
      reasoning: { type: 'string' },
      categories: { type: 'array', items: { type: 'string', enum: numbers } },
      verdict: { type: 'string', enum: ['harmless', 'harmful'] },
    },
    required: ['reasoning', 'categories', 'verdict'],
    additionalProperties: false,
  };
}

/**
 * Reads an opinion. Returns `undefined` if the verdict or a category cannot be read, or if the two contradict each
 * other: a harmful turn without a category, or a harmless one with some.
 */
export function readHarmAnswer(value: unknown, categories: readonly HarmCategory[]): HarmOpinion | undefined {
  if (!isObject(value) || !Array.isArray(value.categories)) return undefined;
  const verdict = textOf(onlyItem(value.verdict)).replace(/\.$/, '').toLowerCase();
  const found = value.categories.map((one) => categoryOf(one, categories));
  if (found.includes(undefined)) return undefined;
  if (verdict !== (found.length === 0 ? 'harmless' : 'harmful')) return undefined;
  const rationale = textOf(value.reasoning);
  return {
    positive: verdict === 'harmless',
    label: verdict,
    categories: categories.filter((one) => found.includes(one)).map(({ id }) => id),
    ...(rationale === '' ? {} : { rationale }),
  };
}

/** Finds the category with a number. Judges may write `1` for `"1"`. */
function categoryOf(written: unknown, categories: readonly HarmCategory[]): HarmCategory | undefined {
  if (typeof written !== 'string' && typeof written !== 'number') return undefined;
  return categories.find((_, index) => String(index + 1) === String(written).trim());
}
