import { isObject, type JsonSchema } from '../json.ts';

type Rule = (size: number, limit: number) => boolean;
const atLeast: Rule = (size, limit) => size >= limit;
const atMost: Rule = (size, limit) => size <= limit;

const ofNumbers = {
  minimum: atLeast,
  maximum: atMost,
  exclusiveMinimum: (size: number, limit: number) => size > limit,
  exclusiveMaximum: (size: number, limit: number) => size < limit,
  multipleOf: isMultiple,
};
const ofTexts = { minLength: atLeast, maxLength: atMost };
const ofLists = { minItems: atLeast, maxItems: atMost };
const ofObjects = { minProperties: atLeast, maxProperties: atMost };

/**
 * Finds the violated keywords among those that limit a number, or the size of a string, list or object.
 */
export function brokenLimits(value: unknown, schema: JsonSchema): readonly string[] {
  if (typeof value === 'number') return broken(value, schema, ofNumbers);
  // Unicode characters, as JSON Schema counts them.
  if (typeof value === 'string') return broken(Array.from(value).length, schema, ofTexts);
  if (Array.isArray(value)) return broken(value.length, schema, ofLists);
  return isObject(value) ? broken(Object.keys(value).length, schema, ofObjects) : [];
}

function broken(size: number, schema: JsonSchema, rules: Readonly<Record<string, Rule>>): readonly string[] {
  return Object.keys(rules).filter((keyword) => {
    const limit = Object.hasOwn(schema, keyword) ? schema[keyword] : undefined;
    return typeof limit === 'number' && !rules[keyword]!(size, limit);
  });
}

/** Allows for rounding errors: 0.3 is a multiple of 0.1. */
function isMultiple(value: number, of: number): boolean {
  const times = value / of;
  return Math.abs(times - Math.round(times)) <= 1e-9 * Math.max(1, Math.abs(times));
}
