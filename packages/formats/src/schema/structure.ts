import { isBranch, isObject, type JsonSchema } from '../json.ts';
import { brokenLimits } from './limits.ts';
import { toCamel, toSnake } from './spelling.ts';
import { kindsOfType, LIST, OBJECT } from './value-kind.ts';

// What `respell` reads of a JSON Schema: $ref, anyOf and oneOf, type, properties, additionalProperties, items,
// prefixItems, required, enum, const and limits. What it does not know it leaves to the schema's own validator.

/** A schema that says nothing: any JSON fits. */
export const OPAQUE: JsonSchema = {};

/** Returns the schema that a local reference leads to; `undefined` if there is none. It reads own keys only. */
export function resolveReference(reference: string, root: unknown): unknown {
  if (reference !== '#' && !reference.startsWith('#/')) return undefined;
  let at = root;
  for (const step of reference.split('/').slice(1)) {
    const key = step.replaceAll('%25', '%').replaceAll('~1', '/').replaceAll('~0', '~');
    at = isBranch(at) && Object.hasOwn(at, key) ? (at as JsonSchema)[key] : undefined;
  }
  return typeof at === 'boolean' || isObject(at) ? at : undefined;
}

/** Follows local references. One that leads nowhere allows any value. */
function dereferenced(schema: JsonSchema, root: JsonSchema): JsonSchema {
  let at: unknown = schema;
  for (let hops = 0; isObject(at) && typeof at.$ref === 'string'; hops++) {
    if (hops > 20) return OPAQUE;
    at = resolveReference(at.$ref, root);
  }
  return isObject(at) ? at : OPAQUE;
}

/** One of the forms that a schema allows, with what it says of any value. */
export interface Form {
  readonly schema: JsonSchema;
  /** The kinds of values that it takes. */
  readonly kinds: number;
  /** The only texts, numbers and the like that it takes; `null`: any. */
  readonly listed: readonly unknown[] | null;
  /** It limits numbers, or the length of lists. */
  readonly isLimited: boolean;
  readonly shape: ObjectShape;
}

const flattened = new WeakMap<JsonSchema, readonly Form[]>();

/** The forms that a schema allows: nested anyOf and oneOf as one flat list, else the schema itself. */
export function formsOf(schema: JsonSchema, root: JsonSchema): readonly Form[] {
  const known = flattened.get(schema);
  if (known) return known;
  // A union that contains itself stands for nothing more than its other forms.
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

/** The schemas of these forms. */
export function alternatives(schema: JsonSchema, root: JsonSchema): readonly JsonSchema[] {
  return formsOf(schema, root).map((form) => form.schema);
}

const LIMITS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minItems', 'maxItems'];

const prepared = new WeakMap<JsonSchema, Form>();

/** A schema as a form, whatever it refers to. */
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
  /** It can be spelt in more than one way. */
  readonly hasSpellings: boolean;
  /** It has listed values, and so says which form of a union an object has. */
  readonly namesForm: boolean;
  readonly schema: JsonSchema;
}

/** What a schema says of an object's keys. */
export interface ObjectShape {
  /** By every spelling. */
  readonly byKey: ReadonlyMap<string, Property>;
  readonly properties: readonly Property[];
  readonly required: readonly Property[];
  /** Some property names the form. */
  readonly isNamed: boolean;
  /** Of keys that are no property; `null`: there should be none. */
  readonly others: JsonSchema | null;
  /** The schema forbids other keys, where without this it only does not know them. */
  readonly forbids: boolean;
  /** ADK's Python reads only snake_case here. */
  readonly snakeOnly: boolean;
  /** A form of our own, which no other program writes. */
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

/** True when a value is of a type that the form takes, and among its listed values; what it holds is not looked at. */
export function accepts({ kinds, listed }: Form, value: unknown, kind: number): boolean {
  return (kinds & kind) !== 0 && (listed === null || kind === OBJECT || kind === LIST || listed.includes(value));
}

/** Tells whether a number or list keeps the limits of a schema. Other limits are left to the schema's own validator. */
export function withinLimits(schema: JsonSchema, value: unknown): boolean {
  if (typeof value !== 'number' && !Array.isArray(value)) return true;
  return brokenLimits(value, schema).every((keyword) => !LIMITS.includes(keyword));
}
