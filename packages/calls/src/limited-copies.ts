import type { Json } from '@agent-criteria/core';
import { type JsonLimits, toJson } from './to-json.ts';

/** Limits for one value in a span. Spans are only displayed, so they do not need whole images. */
const LIMITS: JsonLimits = { text: 100_000, inlineData: 1_000, whole: 1_000_000 };
/** The maximum size of the JSON in one turn's spans, in characters: every model call repeats the whole conversation. */
const MOST_SHOWN = 10_000_000;

/**
 * Returns a function that copies values as JSON for the spans of one turn, shortened, until all copies together reach the
 * limit.
 *
 * @param most The limit in characters of JSON. Default: 10 million.
 */
export function limitedCopies(most: number = MOST_SHOWN): (value: unknown) => Json {
  let left = most;
  return (value) => {
    const copy = toJson(value, { ...LIMITS, whole: Math.min(LIMITS.whole, left) });
    left -= JSON.stringify(copy).length;
    return copy;
  };
}
