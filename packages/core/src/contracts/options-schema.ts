import type { JsonSchema } from '@agent-criteria/formats';

/**
 * The options of a plugin: a Standard Schema (version 1) that validates, joined with a JSON Schema that describes.
 * The JSON Schema drives forms, re-spelling of keys and "did you mean"; the Standard Schema has the last word.
 * Make one with `optionsSchema`, from a `zod/mini` object or any other Standard Schema.
 */
export interface OptionsSchema<Input, Output> {
  /** Of what a user writes, keys in camelCase. */
  readonly jsonSchema: JsonSchema;
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    validate(value: unknown): Validated<Output>;
  };
}

/** What a Standard Schema answers: the value, or what is wrong with it. */
export type Validated<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string; readonly path?: readonly unknown[] | undefined }[] };

/** The part of a Standard Schema (version 1) that is used. */
export interface StandardSchema<Input, Output> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    // A promise is refused when it comes: options are checked before anything runs, in one go.
    validate(value: unknown): Validated<Output> | Promise<Validated<Output>>;
  };
}
