import type { Json } from '@agent-criteria/core';
import { type JsonLimits, toJson } from './to-json.ts';

/** Spans are only shown: they need not contain whole images, nor a document with every call. */
const LIMITS: JsonLimits = { text: 100_000, inlineData: 1_000, whole: 1_000_000 };
/** The maximum characters of JSON in the spans of one turn: every model call repeats the whole conversation. */
const MOST_SHOWN = 10_000_000;

/** Converts values for spans; the limit is shared by all values of a turn. */
export function showValues(most: number = MOST_SHOWN): (value: unknown) => Json {
  let left = most;
  return (value) => {
    const shown = toJson(value, { ...LIMITS, whole: Math.min(LIMITS.whole, left) });
    left -= JSON.stringify(shown).length;
    return shown;
  };
}
