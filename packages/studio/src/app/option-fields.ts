/** How an option of a criterion is asked for. */
export type OptionField = {
  /** As the schema spells it. */
  readonly key: string;
  /** As ADK's files spell it. */
  readonly snake: string;
  readonly description: string;
  readonly default: unknown;
} & (
  | { readonly kind: 'text' }
  | { readonly kind: 'number'; readonly whole: boolean; readonly min?: number; readonly max?: number }
  | { readonly kind: 'choice'; readonly choices: readonly (string | number | boolean)[] }
  /** Options of their own. */
  | { readonly kind: 'group'; readonly schema: Schema }
  | { readonly kind: 'rubrics' }
  | { readonly kind: 'json' }
);

type Schema = Readonly<Record<string, unknown>>;

/** The fields of an object's schema: what has no field of its own is written as JSON. */
export function fieldsOf(schema: Schema): readonly OptionField[] {
  const properties = isSchema(schema.properties) ? schema.properties : {};
  return Object.entries(properties).flatMap(([key, property]) => {
    const own = isSchema(property) ? property : {};
    // Only there so that a mistake can be explained.
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
  if (schema.type === 'object' && isSchema(schema.properties)) return { kind: 'group', schema };
  const { items } = schema;
  if (isSchema(items) && isSchema(items.properties) && 'rubricId' in items.properties) return { kind: 'rubrics' };
  if (schema.type === 'number' || schema.type === 'integer') {
    const limit = (key: string) => (typeof schema[key] === 'number' ? schema[key] : undefined);
    const [min, max] = [limit('minimum') ?? limit('exclusiveMinimum'), limit('maximum')];
    return {
      kind: 'number',
      whole: schema.type === 'integer',
      ...(min === undefined ? {} : { min }),
      // What zod says of every integer is no limit.
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
  // Of two ways to write a choice, words come before numbers.
  const ways = Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : [];
  const named = ways.find((one) => isSchema(one) && Array.isArray(one.enum));
  return isSchema(named) && Array.isArray(named.enum) ? named.enum : null;
}

/** `anyOf` constants. */
function alternatives(schema: Schema): unknown[] | null {
  if (!Array.isArray(schema.anyOf)) return null;
  const values = schema.anyOf.flatMap((one) => (isSchema(one) && 'const' in one ? [one.const] : []));
  return values.length === schema.anyOf.length ? values : null;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isPlain(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
