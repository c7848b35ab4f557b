import type { JsonSchema } from '@agent-criteria/formats';

/**
 * A plugin's options: a Standard Schema (version 1) that validates, combined with a JSON Schema that describes. The
 * JSON Schema is used for forms, for converting the spelling of keys and for "did you mean"; the Standard Schema
 * decides. Create one with `optionsSchema`.
 */
export interface OptionsSchema<Input, Output> {
  /** Describes the options as users write them, with keys in camelCase. */
  readonly jsonSchema: JsonSchema;
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    validate(value: unknown): Validated<Output>;
  };
}

/** The result of validating with a Standard Schema: the value, or the issues found. */
export type Validated<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string; readonly path?: readonly unknown[] | undefined }[] };

/** The part of a Standard Schema (version 1) that core uses. */
export interface StandardSchema<Input, Output> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    // Promises are rejected at run time: options are checked synchronously, before anything runs.
    validate(value: unknown): Validated<Output> | Promise<Validated<Output>>;
  };
}
