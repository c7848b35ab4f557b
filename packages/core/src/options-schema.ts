import { CriteriaError, isObject, type JsonSchema } from '@agent-criteria/formats';
import { checkSchema, formatPath, validate } from '@agent-criteria/formats/schema';
import type { InputOf, ObjectSchema, OptionsOf } from './contracts/options-of.ts';
import type { OptionsSchema, StandardSchema } from './contracts/options-schema.ts';

/** Rules that a JSON Schema cannot express. */
interface OptionRules<Written, Options> {
  /** Finds mistakes in options whose types fit the schema. */
  check?(options: Written): readonly { readonly message: string; readonly path: readonly (string | number)[] }[];
  /** Converts valid options to the form that the plugin reads. Default: unchanged. */
  transform?(options: Written): Options;
}

/**
 * Declares a plugin's options, as a plain JSON Schema, which core validates, or as a Standard Schema that can produce
 * its JSON Schema (zod, ArkType, Valibot with its converter).
 *
 * ```ts
 * const options = optionsSchema({
 *   type: 'object',
 *   properties: { maxWords: { type: 'integer', minimum: 1, default: 100 } },
 * });
 * ```
 *
 * Types are inferred from a plain JSON Schema. To publish documented types, annotate the constant as
 * `OptionsSchema<PartialOptions<MyOptions>, MyOptions>`; the compiler compares them with the schema. `rules` adds
 * checks that a JSON Schema cannot express. `x-messages` replaces the error message of a keyword: `{ type: 'string',
 * pattern: '\\S', 'x-messages': { pattern: 'a model needs a name' } }`.
 *
 * Pass the JSON Schema along with a Standard Schema that cannot produce it, such as one from `zod/mini`:
 * `optionsSchema(schema, z.toJSONSchema(schema, { io: 'input' }))`. Unknown keys are rejected, unless the JSON Schema
 * has `additionalProperties`.
 *
 * @throws CriteriaError INVALID_PLUGIN for a schema that has no JSON Schema, or a plain one with keywords that core
 * does not check.
 */
export function optionsSchema<Input, Output>(
  schema: StandardSchema<Input, Output>,
  jsonSchema?: JsonSchema | undefined,
): OptionsSchema<Input, Output>;
export function optionsSchema<const Schema extends ObjectSchema, Options = OptionsOf<Schema>>(
  schema: Schema,
  rules?: OptionRules<OptionsOf<Schema>, Options> | undefined,
): OptionsSchema<InputOf<Schema>, Options>;
export function optionsSchema(
  schema: StandardSchema<unknown, unknown> | JsonSchema,
  more?: JsonSchema | OptionRules<never, unknown> | undefined,
): OptionsSchema<unknown, unknown> {
  if (!isStandard(schema)) return described(schema, more as OptionRules<unknown, unknown> | undefined);
  const standard = schema['~standard'];
  return {
    jsonSchema: (more as JsonSchema | undefined) ?? jsonSchemaOf(schema),
    '~standard': {
      version: 1,
      vendor: standard.vendor,
      validate(value) {
        const result = standard.validate(value);
        if (result instanceof Promise) {
          result.catch(() => undefined);
          return { issues: [{ message: 'the options schema validates asynchronously, which is not supported' }] };
        }
        return result;
      },
    },
  };
}

function isStandard(schema: object): schema is StandardSchema<unknown, unknown> {
  return '~standard' in schema;
}

/** A value that violates none of these keywords has the inferred type. */
const TYPES = ['false', 'type', 'enum', 'const', 'anyOf', 'oneOf', 'required'];

/** Validates with a plain JSON Schema. `readOptions` has already normalised the keys and rejected unknown ones. */
function described(jsonSchema: JsonSchema, rules: OptionRules<unknown, unknown> = {}): OptionsSchema<unknown, unknown> {
  refuseMistakes(jsonSchema);
  return {
    jsonSchema,
    '~standard': {
      version: 1,
      vendor: 'agent-criteria',
      validate(value) {
        const violations = validate(value, jsonSchema);
        const options = withDefaults(value, jsonSchema);
        const isTyped = !violations.some(({ keyword }) => TYPES.includes(keyword));
        // If the message is empty, `describeIssues` writes one from the schema.
        const broken = new Map(violations.map(({ path, message = '' }) => [formatPath(path), { path, message }]));
        const more = isTyped ? (rules.check?.(options) ?? []) : [];
        const issues = [...broken.values(), ...more.filter(({ path }) => !broken.has(formatPath(path)))];
        return issues.length > 0 ? { issues } : { value: rules.transform?.(options) ?? options };
      },
    },
  };
}

/** Rejects keywords that core does not check, because users would assume that they are checked. */
function refuseMistakes(jsonSchema: JsonSchema): void {
  const mistakes = checkSchema(jsonSchema);
  const unknown = mistakes.filter(({ keyword }) => keyword === 'false').map(({ path }) => path.at(-1));
  const [first] = mistakes;
  if (first === undefined) return;
  const message =
    unknown.length > 0
      ? `core does not check ${[...new Set(unknown)].join(', ')} of a JSON Schema: leave it out and check the value in \`check\`, or give a schema that validates, as of zod`
      : `the JSON Schema of the options has a mistake at ${formatPath(first.path)}`;
  throw new CriteriaError({ code: 'INVALID_PLUGIN', message });
}

/** Adds the defaults of missing properties. Described properties come first, in the schema's order. */
function withDefaults(value: unknown, schema: unknown): unknown {
  if (!isObject(schema) || !isObject(schema.properties) || !isObject(value)) return value;
  const filled: Record<string, unknown> = {};
  for (const [key, property] of Object.entries(schema.properties)) {
    const missing = value[key] === undefined;
    const item = missing && isObject(property) ? structuredClone(property.default) : value[key];
    if (item !== undefined) filled[key] = withDefaults(item, property);
  }
  return { ...filled, ...Object.fromEntries(Object.entries(value).filter(([key]) => !Object.hasOwn(filled, key))) };
}

/** Gets the JSON Schema of a Standard Schema: from our `jsonSchema`, or through the Standard JSON Schema interface. */
function jsonSchemaOf(schema: StandardSchema<unknown, unknown>): JsonSchema {
  if ('jsonSchema' in schema && isObject(schema.jsonSchema)) return schema.jsonSchema;
  const standard: { readonly vendor: string; readonly jsonSchema?: unknown } = schema['~standard'];
  const { jsonSchema } = standard;
  if (isObject(jsonSchema) && typeof jsonSchema.input === 'function') {
    const given: unknown = jsonSchema.input({ target: 'draft-2020-12' });
    if (isObject(given)) return given;
  }
  const message = `this schema of ${standard.vendor} cannot produce its JSON Schema: pass it with the schema, as in optionsSchema(schema, z.toJSONSchema(schema, { io: 'input' })) with zod/mini`;
  throw new CriteriaError({ code: 'INVALID_PLUGIN', message });
}

/** The options schema for a plugin without options. */
export const noOptions: OptionsSchema<Record<never, never>, Record<never, never>> = {
  jsonSchema: { type: 'object', properties: {}, additionalProperties: false },
  '~standard': { version: 1, vendor: 'agent-criteria', validate: () => ({ value: {} }) },
};
