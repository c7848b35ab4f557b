import type { Json } from '@agent-criteria/core';
import { type JsonLimits, toJson } from './to-json.ts';

/** Spans are looked at, not judged: they need not hold whole images, nor a document with every call. */
const LIMITS: JsonLimits = { text: 100_000, inlineData: 1_000, whole: 1_000_000 };
/** In characters of JSON, what the spans of one turn may show together: every model call is sent all that was said before. */
const MOST_SHOWN = 10_000_000;

/** Makes what spans show of values. The more was shown, the less is left for the next. */
export function showValues(most: number = MOST_SHOWN): (value: unknown) => Json {
  let left = most;
  return (value) => {
    const shown = toJson(value, { ...LIMITS, whole: Math.min(LIMITS.whole, left) });
    left -= JSON.stringify(shown).length;
    return shown;
  };
}
