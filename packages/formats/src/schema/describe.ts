import { isObject, type JsonSchema } from '../json.ts';
import { shortened } from './path.ts';
import { toSnake } from './spelling.ts';
import { alternatives } from './structure.ts';

/** Describes a value: `the text "abc"`, `a list of 3`. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string') return value === '' ? 'an empty text' : `the text ${JSON.stringify(shortened(value))}`;
  if (typeof value === 'number') return Number.isFinite(value) ? `the number ${value}` : String(value);
  if (value === null || typeof value === 'boolean') return String(value);
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${value.length}`;
  if (typeof value === 'object') {
    const kind = Object.prototype.toString.call(value).slice(8, -1);
    return kind === 'Object' ? 'an object' : `a ${kind}`;
  }
  return `a ${typeof value}`;
}

/**
 * Describes the values that a schema allows: `a list`, `a number above 0`, `one of "a" and "b"`, or `''` if it allows
 * any.
 */
export function describeExpected(schema: JsonSchema, root: JsonSchema): string {
  const forms = alternatives(schema, root);
  // Listing the keys of several object forms would be confusing.
  const isOne = forms.filter(isObjectForm).length === 1;
  const words = forms.map((form) => describeOne(form) + (isOne && isObjectForm(form) ? keysOf(form) : ''));
  return words.includes('') ? '' : listOf([...new Set(words)], 'or');
}

/** Joins words: `a, b and c`. */
export function listOf(words: readonly string[], last: 'and' | 'or'): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;
}

/** Finds the schema at a path, or `undefined` if the JSON Schema does not describe it. */
export function schemaAt(segments: readonly unknown[], schema: JsonSchema): JsonSchema | undefined {
  let branches = alternatives(schema, schema);
  for (const segment of segments) {
    branches = branches.flatMap((branch) => {
      const next = child(branch, segment);
      return isObject(next) ? alternatives(next, schema) : [];
    });
  }
  return branches.length > 1 ? { anyOf: branches } : branches[0];
}

function child(schema: JsonSchema, segment: unknown): unknown {
  if (typeof segment === 'number') {
    return (Array.isArray(schema.prefixItems) ? schema.prefixItems[segment] : undefined) ?? schema.items;
  }
  const properties = isObject(schema.properties) ? schema.properties : {};
  const key = String(segment);
  return Object.hasOwn(properties, key) ? properties[key] : schema.additionalProperties;
}

function describeOne(schema: JsonSchema): string {
  if ('const' in schema) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) {
    const values = schema.enum.map((value) => JSON.stringify(value));
    return values.length === 1 ? values.join() : `one of ${listOf(values, 'and')}`;
  }
  if (schema.type === undefined) return '';
  const types = (Array.isArray(schema.type) ? schema.type : [schema.type]).map(String);
  return listOf(
    types.map((type) => (names[type] ?? type) + limits(schema, type)),
    'or',
  );
}

const names: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
};

function isObjectForm({ type }: JsonSchema): boolean {
  return type === 'object';
}

/** Lists the required keys of an object, as files spell them: ` with "author" and "text"`. */
function keysOf({ required }: JsonSchema): string {
  const names = Array.isArray(required) ? required.filter((key) => typeof key === 'string') : [];
  return names.length === 0
    ? ''
    : ` with ${listOf(
        names.map((key) => `"${toSnake(key)}"`),
        'and',
      )}`;
}

function limits(schema: JsonSchema, type: string): string {
  const words: string[] = [];
  const say = (keyword: string, word: string, unit = '') => {
    const limit = schema[keyword];
    // The limits of safe integers are implied by the type.
    if (typeof limit === 'number' && Math.abs(limit) < Number.MAX_SAFE_INTEGER) words.push(`${word} ${limit}${unit}`);
  };
  if (type === 'number' || type === 'integer') {
    say('exclusiveMinimum', 'above');
    say('minimum', 'at least');
    say('exclusiveMaximum', 'below');
    say('maximum', 'at most');
    say('multipleOf', 'a multiple of');
  }
  if (type === 'array') {
    if (schema.minItems === schema.maxItems) say('minItems', 'of exactly', ' items');
    else {
      say('minItems', 'of at least', ' items');
      say('maxItems', 'of at most', ' items');
    }
  }
  if (type === 'string') {
    say('minLength', 'of at least', ' characters');
    say('maxLength', 'of at most', ' characters');
    if (typeof schema.pattern === 'string') words.push(`that matches ${schema.pattern}`);
  }
  return words.length === 0 ? '' : ` ${listOf(words, 'and')}`;
}
