import { isBranch, isObject, type JsonSchema } from '../json.ts';
import { brokenLimits } from './limits.ts';
import { toCamel, toSnake } from './spelling.ts';
import { kindsOfType, LIST, OBJECT } from './value-kind.ts';

// The keywords that `respell` reads: $ref, anyOf and oneOf, type, properties, additionalProperties, items, prefixItems,
// required, enum, const and limits. Other keywords are left to the schema's own validator.

/** A schema that allows any JSON. */
export const OPAQUE: JsonSchema = {};

/** Returns the schema that a local reference leads to, or `undefined` if there is none. It reads own keys only. */
export function resolveReference(reference: string, root: unknown): unknown {
  if (reference !== '#' && !reference.startsWith('#/')) return undefined;
  let at = root;
  for (const step of reference.split('/').slice(1)) {
    const key = step.replaceAll('%25', '%').replaceAll('~1', '/').replaceAll('~0', '~');
    at = isBranch(at) && Object.hasOwn(at, key) ? (at as JsonSchema)[key] : undefined;
  }
  return typeof at === 'boolean' || isObject(at) ? at : undefined;
}

/** Follows local references. A reference that leads nowhere allows any value. */
function dereferenced(schema: JsonSchema, root: JsonSchema): JsonSchema {
  let at: unknown = schema;
  for (let hops = 0; isObject(at) && typeof at.$ref === 'string'; hops++) {
    if (hops > 20) return OPAQUE;
    at = resolveReference(at.$ref, root);
  }
  return isObject(at) ? at : OPAQUE;
}

/** One alternative of a schema, prepared for matching values. */
export interface Form {
  readonly schema: JsonSchema;
  /** The allowed kinds of values, as bits of `value-kind.ts`. */
  readonly kinds: number;
  /** The allowed values of `enum` or `const`, or `null` for any. */
  readonly listed: readonly unknown[] | null;
  /** Whether it limits the range of numbers or the length of lists. */
  readonly isLimited: boolean;
  readonly shape: ObjectShape;
}

const flattened = new WeakMap<JsonSchema, readonly Form[]>();

/** Lists the alternatives of a schema: nested anyOf and oneOf as one flat list, or the schema itself. */
export function formsOf(schema: JsonSchema, root: JsonSchema): readonly Form[] {
  const known = flattened.get(schema);
  if (known) return known;
  // A union that contains itself adds no further alternatives.
  flattened.set(schema, []);
  const resolved = dereferenced(schema, root);
  const union = resolved.anyOf ?? resolved.oneOf;
  const forms =
    Array.isArray(union) && resolved.properties === undefined
      ? union.flatMap((branch) => formsOf(isObject(branch) ? branch : OPAQUE, root))
      : [formOf(resolved)];
  flattened.set(schema, forms);
  return forms;
}

/** Lists the schemas of the alternatives. */
export function alternatives(schema: JsonSchema, root: JsonSchema): readonly JsonSchema[] {
  return formsOf(schema, root).map((form) => form.schema);
}

const LIMITS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minItems', 'maxItems'];

const prepared = new WeakMap<JsonSchema, Form>();

/** Prepares a schema as a form, without following its `$ref`. */
export function formOf(schema: JsonSchema): Form {
  let form = prepared.get(schema);
  if (!form) {
    form = readForm(schema);
    prepared.set(schema, form);
  }
  return form;
}

function readForm(schema: JsonSchema): Form {
  const listed = 'const' in schema ? [schema.const] : null;
  return {
    schema,
    kinds: kindsOfType(schema.type),
    listed: Array.isArray(schema.enum) ? schema.enum.filter((one) => listed?.includes(one) !== false) : listed,
    isLimited: LIMITS.some((keyword) => typeof schema[keyword] === 'number'),
    shape: readShape(schema),
  };
}

export interface Property {
  /** As the schema spells it. */
  readonly name: string;
  readonly snake: string;
  /** Whether its camelCase and snake_case spellings differ. */
  readonly hasSpellings: boolean;
  /** Whether its `enum` or `const` identifies one alternative of a union. */
  readonly namesForm: boolean;
  readonly schema: JsonSchema;
}

/** The keys of an object, prepared from its schema. */
export interface ObjectShape {
  /** The properties by all their spellings. */
  readonly byKey: ReadonlyMap<string, Property>;
  readonly properties: readonly Property[];
  readonly required: readonly Property[];
  /** Whether some property has `namesForm`. */
  readonly isNamed: boolean;
  /** The schema of other keys, or `null` if there should be none. */
  readonly others: JsonSchema | null;
  /** Whether `additionalProperties` is `false`, instead of merely absent. */
  readonly forbids: boolean;
  /** Whether ADK for Python accepts only snake_case here. */
  readonly snakeOnly: boolean;
  /** Whether only this project writes this shape. */
  readonly isOwn: boolean;
}

function readShape(schema: JsonSchema): ObjectShape {
  const entries = Object.entries(isObject(schema.properties) ? schema.properties : {});
  const properties = entries.map(([name, of]): Property => {
    const snake = toSnake(name);
    const own = isObject(of) ? of : OPAQUE;
    const namesForm = own.const !== undefined || own.enum !== undefined;
    return { name, snake, hasSpellings: snake !== toCamel(name), namesForm, schema: own };
  });
  const byKey = new Map<string, Property>(properties.map((property) => [property.name, property]));
  for (const property of properties) {
    for (const key of [property.snake, toCamel(property.name)]) if (!byKey.has(key)) byKey.set(key, property);
  }
  const required = Array.isArray(schema.required) ? schema.required : [];
  const { additionalProperties } = schema;
  const elsewhere = schema.allOf !== undefined || schema.patternProperties !== undefined || schema.anyOf !== undefined;
  const closed = schema.properties !== undefined && !elsewhere && additionalProperties === undefined;
  const forbids = additionalProperties === false;
  return {
    byKey,
    properties,
    required: properties.filter((property) => required.includes(property.name)),
    isNamed: properties.some(({ namesForm }) => namesForm),
    others: forbids || closed ? null : isObject(additionalProperties) ? additionalProperties : OPAQUE,
    forbids,
    snakeOnly: schema['x-snake-only'] === true,
    isOwn: schema['x-own'] === true,
  };
}

/**
 * Tells whether an alternative allows the type of a value, and the value itself if there is an `enum` or `const`.
 * Contents are not checked.
 */
export function accepts({ kinds, listed }: Form, value: unknown, kind: number): boolean {
  return (kinds & kind) !== 0 && (listed === null || kind === OBJECT || kind === LIST || listed.includes(value));
}

/** Tells whether a number or list is within a schema's limits. Other limits are left to the schema's own validator. */
export function withinLimits(schema: JsonSchema, value: unknown): boolean {
  if (typeof value !== 'number' && !Array.isArray(value)) return true;
  return brokenLimits(value, schema).every((keyword) => !LIMITS.includes(keyword));
}
