import { isObject } from '@agent-criteria/formats';

/** The form field for an option. */
export type OptionField = {
  /** Spelling used in the schema. */
  readonly key: string;
  /** Spelling used in ADK's files. */
  readonly snake: string;
  readonly description: string;
  readonly default: unknown;
} & (
  | { readonly kind: 'text' }
  | { readonly kind: 'number'; readonly whole: boolean; readonly min?: number; readonly max?: number }
  | { readonly kind: 'choice'; readonly choices: readonly (string | number | boolean)[] }
  /** Nested options. */
  | { readonly kind: 'group'; readonly schema: Schema }
  | { readonly kind: 'rubrics' }
  | { readonly kind: 'json' }
);

type Schema = Readonly<Record<string, unknown>>;

/** Derives form fields from an object schema. Types without a dedicated field are edited as JSON. */
export function fieldsOf(schema: Schema): readonly OptionField[] {
  const properties = isObject(schema.properties) ? schema.properties : {};
  return Object.entries(properties).flatMap(([key, property]) => {
    const own = isObject(property) ? property : {};
    // Skips options that are declared only in order to be rejected with an explanation.
    if (typeof own.description === 'string' && own.description.startsWith('Refused:')) return [];
    const head = {
      key,
      snake: key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      description: typeof own.description === 'string' ? own.description : '',
      default: own.default,
    };
    return [{ ...head, ...kindOf(own) }];
  });
}

type Kind = OptionField extends infer Each
  ? Each extends OptionField
    ? Omit<Each, 'key' | 'snake' | 'description' | 'default'>
    : never
  : never;

function kindOf(schema: Schema): Kind {
  const choices = choicesOf(schema);
  if (choices !== null) return { kind: 'choice', choices };
  if (schema.type === 'string' || isNullableText(schema.type)) return { kind: 'text' };
  if (schema.type === 'object' && isObject(schema.properties)) return { kind: 'group', schema };
  const { items } = schema;
  if (isObject(items) && isObject(items.properties) && 'rubricId' in items.properties) return { kind: 'rubrics' };
  if (schema.type === 'number' || schema.type === 'integer') {
    const limit = (key: string) => (typeof schema[key] === 'number' ? schema[key] : undefined);
    const [min, max] = [limit('minimum') ?? limit('exclusiveMinimum'), limit('maximum')];
    return {
      kind: 'number',
      whole: schema.type === 'integer',
      ...(min === undefined ? {} : { min }),
      // zod sets this limit on every integer.
      ...(max === undefined || max >= Number.MAX_SAFE_INTEGER ? {} : { max }),
    };
  }
  return { kind: 'json' };
}

function isNullableText(type: unknown): boolean {
  return Array.isArray(type) && type.length === 2 && type.includes('string') && type.includes('null');
}

function choicesOf(schema: Schema): readonly (string | number | boolean)[] | null {
  if (schema.type === 'boolean') return [true, false];
  const values = enumOf(schema) ?? alternatives(schema);
  const plain = values?.filter(isPlain) ?? [];
  return values !== null && values.length > 0 && plain.length === values.length ? plain : null;
}

function enumOf({ enum: values, anyOf, oneOf }: Schema): unknown[] | null {
  if (Array.isArray(values)) return values;
  // Prefers names over numbers.
  const ways = Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : [];
  const named = ways.find((one) => isObject(one) && Array.isArray(one.enum));
  return isObject(named) && Array.isArray(named.enum) ? named.enum : null;
}

/** Returns the values of `anyOf` constants. */
function alternatives(schema: Schema): unknown[] | null {
  if (!Array.isArray(schema.anyOf)) return null;
  const values = schema.anyOf.flatMap((one) => (isObject(one) && 'const' in one ? [one.const] : []));
  return values.length === schema.anyOf.length ? values : null;
}

function isPlain(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
