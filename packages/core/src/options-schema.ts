import type { OptionsSchema, Validated } from './contracts/options-schema.ts';
import type { JsonSchema } from './json.ts';

/** The part of a Standard Schema (version 1) that `optionsSchema` uses. */
interface StandardSchema<Input, Output> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    // A promise is refused when it comes: options are checked before anything runs, in one go.
    validate(value: unknown): Validated<Output> | Promise<Validated<Output>>;
  };
}

/**
 * Joins a schema that validates with the JSON Schema that describes it.
 *
 * ```ts
 * const schema = z.object({ language: z._default(z.enum(['en', 'de']), 'en') });
 * const options = optionsSchema(schema, z.toJSONSchema(schema, { io: 'input' }));
 * ```
 *
 * Keys that the JSON Schema does not name are refused, unless it says `additionalProperties`.
 */
export function optionsSchema<Input, Output>(
  schema: StandardSchema<Input, Output>,
  jsonSchema: JsonSchema,
): OptionsSchema<Input, Output> {
  const standard = schema['~standard'];
  return {
    jsonSchema,
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

/** The schema of a plugin without options. */
export const noOptions: OptionsSchema<Record<never, never>, Record<never, never>> = {
  jsonSchema: { type: 'object', properties: {}, additionalProperties: false },
  '~standard': { version: 1, vendor: 'agent-criteria', validate: () => ({ value: {} }) },
};
