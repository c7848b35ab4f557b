import { CriteriaError, isObject, type JsonSchema } from '@agent-criteria/formats';
import type { InputOf, ObjectSchema, OptionsOf } from './contracts/options-of.ts';
import type { OptionsSchema, StandardSchema } from './contracts/options-schema.ts';
import { jsonSchemaOptions } from './json-schema-options.ts';

/**
 * The options of a plugin, declared once: as a Standard Schema that can give its JSON Schema (zod, ArkType, Valibot with its
 * converter), or as a plain JSON Schema, which core checks itself and which costs no bundle.
 *
 * ```ts
 * const options = optionsSchema({
 *   type: 'object',
 *   properties: { maxWords: { type: 'integer', minimum: 1, default: 100 } },
 * });
 * ```
 *
 * A schema that cannot give its JSON Schema, as of `zod/mini`, is joined with one:
 * `optionsSchema(schema, z.toJSONSchema(schema, { io: 'input' }))`.
 * Keys that the JSON Schema does not name are refused, unless it says `additionalProperties`.
 *
 * @throws CriteriaError INVALID_PLUGIN for a schema without a JSON Schema, or a plain one that says what core does not check.
 */
export function optionsSchema<Input, Output>(
  schema: StandardSchema<Input, Output>,
  jsonSchema?: JsonSchema | undefined,
): OptionsSchema<Input, Output>;
export function optionsSchema<const Schema extends ObjectSchema>(
  schema: Schema,
): OptionsSchema<InputOf<Schema>, OptionsOf<Schema>>;
export function optionsSchema(
  schema: StandardSchema<unknown, unknown> | JsonSchema,
  jsonSchema?: JsonSchema | undefined,
): OptionsSchema<unknown, unknown> {
  if (!isStandard(schema)) return jsonSchemaOptions(schema);
  const standard = schema['~standard'];
  return {
    jsonSchema: jsonSchema ?? jsonSchemaOf(schema),
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

/** What the schema says of itself: ours, or by the Standard JSON Schema interface. */
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

/** The schema of a plugin without options. */
export const noOptions: OptionsSchema<Record<never, never>, Record<never, never>> = {
  jsonSchema: { type: 'object', properties: {}, additionalProperties: false },
  '~standard': { version: 1, vendor: 'agent-criteria', validate: () => ({ value: {} }) },
};
