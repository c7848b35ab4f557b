import type { JsonSchema } from '@agent-criteria/formats';

/** The options that a plain JSON Schema describes, as users write them: what is not `required` may be left out. */
export type InputOf<Schema> = Schema extends { readonly properties: infer Properties }
  ? { readonly [Key in Extract<keyof Properties, RequiredOf<Schema>>]: ValueOf<Properties[Key]> } & {
      readonly [Key in Exclude<keyof Properties, RequiredOf<Schema>>]?: ValueOf<Properties[Key]> | undefined;
    }
  : object;

/** The same as the criterion reads them: what has a default is there. */
export type OptionsOf<Schema> = Schema extends { readonly properties: infer Properties }
  ? { readonly [Key in Present<Schema, Properties>]: ValueOf<Properties[Key]> } & {
      readonly [Key in Exclude<keyof Properties, Present<Schema, Properties>>]?: ValueOf<Properties[Key]> | undefined;
    }
  : object;

type RequiredOf<Schema> = Schema extends { readonly required: readonly (infer Key)[] } ? Key : never;

type Present<Schema, Properties> = {
  [Key in keyof Properties]: Key extends RequiredOf<Schema>
    ? Key
    : Properties[Key] extends { readonly default: unknown }
      ? Key
      : never;
}[keyof Properties];

type ValueOf<Schema> = Schema extends { readonly enum: readonly (infer Value)[] }
  ? Value
  : Schema extends { readonly const: infer Value }
    ? Value
    : Schema extends { readonly type: 'integer' | 'number' }
      ? number
      : Schema extends { readonly type: 'string' }
        ? string
        : Schema extends { readonly type: 'boolean' }
          ? boolean
          : Schema extends { readonly type: 'array'; readonly items: infer Item }
            ? readonly ValueOf<Item>[]
            : Schema extends { readonly properties: unknown }
              ? OptionsOf<Schema>
              : unknown;

/** A plain JSON Schema of an object, the options of a plugin. Its keys are in camelCase. */
export type ObjectSchema = JsonSchema & { readonly type: 'object'; readonly properties: object };
