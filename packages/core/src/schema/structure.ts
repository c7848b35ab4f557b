import { isObject, type JsonSchema } from '../json.ts';
import { toCamel, toSnake } from './spelling.ts';

// What `respell` reads of a JSON Schema: $ref, anyOf and oneOf, type, properties, additionalProperties, items,
// prefixItems, required, enum, const and limits. What it does not know it leaves to the schema's own validator.

/** A schema that says nothing: any JSON fits. */
export const OPAQUE: JsonSchema = {};

/** Follows local references. One that leads nowhere says nothing. */
function resolveReference(schema: JsonSchema, root: JsonSchema): JsonSchema {
  let at: unknown = schema;
  for (let hops = 0; isObject(at) && typeof at.$ref === 'string'; hops++) {
    if (hops > 20 || !at.$ref.startsWith('#')) return OPAQUE;
    const target: string = at.$ref;
    at = root;
    for (const step of target.split('/').slice(1)) {
      const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
      at = isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
    }
  }
  return isObject(at) ? at : OPAQUE;
}

const flattened = new WeakMap<JsonSchema, readonly JsonSchema[]>();

/** The forms that a schema allows: nested anyOf and oneOf as one flat list, else the schema itself. */
export function alternatives(schema: JsonSchema, root: JsonSchema): readonly JsonSchema[] {
  const known = flattened.get(schema);
  if (known) return known;
  // A union that contains itself stands for nothing more than its other branches.
  flattened.set(schema, []);
  const resolved = resolveReference(schema, root);
  const union = resolved.anyOf ?? resolved.oneOf;
  const branches =
    Array.isArray(union) && resolved.properties === undefined
      ? union.flatMap((branch) => alternatives(isObject(branch) ? branch : OPAQUE, root))
      : [resolved];
  flattened.set(schema, branches);
  return branches;
}

export interface Property {
  /** As the schema spells it. */
  readonly name: string;
  readonly snake: string;
  readonly schema: JsonSchema;
}

/** What a schema says of an object's keys. */
export interface ObjectShape {
  /** By every spelling. */
  readonly byKey: ReadonlyMap<string, Property>;
  readonly properties: readonly Property[];
  readonly required: readonly Property[];
  /** Of keys that are no property; `null`: there should be none. */
  readonly others: JsonSchema | null;
  /** The schema forbids other keys, where without this it only does not know them. */
  readonly forbids: boolean;
  /** ADK's Python reads only snake_case here. */
  readonly snakeOnly: boolean;
  /** A form of our own, which no other program writes. */
  readonly isOwn: boolean;
}

const shapes = new WeakMap<JsonSchema, ObjectShape>();

export function objectShape(schema: JsonSchema): ObjectShape {
  let shape = shapes.get(schema);
  if (!shape) {
    shape = readShape(schema);
    shapes.set(schema, shape);
  }
  return shape;
}

function readShape(schema: JsonSchema): ObjectShape {
  const entries = Object.entries(isObject(schema.properties) ? schema.properties : {});
  const properties = entries.map(([name, of]) => ({ name, snake: toSnake(name), schema: isObject(of) ? of : OPAQUE }));
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
    others: forbids || closed ? null : isObject(additionalProperties) ? additionalProperties : OPAQUE,
    forbids,
    snakeOnly: schema['x-snake-only'] === true,
    isOwn: schema['x-own'] === true,
  };
}

/** True when a value is of the schema's type and among its listed values; what it holds is not looked at. */
export function accepts(schema: JsonSchema, value: unknown): boolean {
  const { type } = schema;
  if (Array.isArray(type) ? !type.some((one) => isOfType(one, value)) : type !== undefined && !isOfType(type, value)) {
    return false;
  }
  if (Array.isArray(schema.enum) && isScalar(value) && !schema.enum.includes(value)) return false;
  return !('const' in schema) || !isScalar(value) || schema.const === value;
}

function isOfType(type: unknown, value: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'number') return Number.isFinite(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isPlainObject(value);
  if (type === 'null') return value === null;
  return typeof value === type;
}

/** An object of named values: not a list, and not a Date, Map or other thing that JSON cannot hold. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return isObject(value) && Object.prototype.toString.call(value) === '[object Object]';
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}

/** True when a number or list keeps the limits of a schema. */
export function withinLimits(schema: JsonSchema, value: unknown): boolean {
  if (typeof value !== 'number' && !Array.isArray(value)) return true;
  const keeps = (keyword: string, kept: (limit: number) => boolean): boolean => {
    const limit = schema[keyword];
    return typeof limit !== 'number' || kept(limit);
  };
  if (typeof value === 'number') {
    return (
      keeps('minimum', (limit) => value >= limit) &&
      keeps('maximum', (limit) => value <= limit) &&
      keeps('exclusiveMinimum', (limit) => value > limit) &&
      keeps('exclusiveMaximum', (limit) => value < limit)
    );
  }
  return keeps('minItems', (limit) => value.length >= limit) && keeps('maxItems', (limit) => value.length <= limit);
}
