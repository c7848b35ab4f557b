import type { Json, JsonSchema, State } from '@agent-criteria/formats';

/** Options of a plain JSON Schema as users write them: keys not listed as `required` are optional. */
export type InputOf<Schema> = Schema extends { readonly properties: infer Properties }
  ? { readonly [Key in Extract<keyof Properties, RequiredOf<Schema>>]: ValueOf<Properties[Key]> } & {
      readonly [Key in Exclude<keyof Properties, RequiredOf<Schema>>]?: ValueOf<Properties[Key]> | undefined;
    }
  : object;

/** Options of a plain JSON Schema as the criterion reads them: keys with a default are present. */
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
    : Schema extends { readonly anyOf: readonly (infer Form)[] }
      ? ValueOf<Form>
      : Schema extends { readonly type: readonly (infer Type)[] }
        ? ValueOfType<Omit<Schema, 'type'>, Type>
        : Schema extends { readonly type: infer Type }
          ? ValueOfType<Schema, Type>
          : Json;

type ValueOfType<Schema, Type> = Type extends 'integer' | 'number'
  ? number
  : Type extends 'string'
    ? string
    : Type extends 'boolean'
      ? boolean
      : Type extends 'null'
        ? null
        : Type extends 'array'
          ? readonly (Schema extends { readonly items: infer Item } ? ValueOf<Item> : Json)[]
          : Schema extends { readonly properties: unknown }
            ? OptionsOf<Schema>
            : Schema extends { readonly additionalProperties: infer Item }
              ? Readonly<Record<string, ValueOf<Item>>>
              : State;

/** Options as users write them, where every option has a default or may be missing. */
export type PartialOptions<Options> = { readonly [Key in keyof Options]?: Options[Key] | undefined };

/** A plain JSON Schema of an object: a plugin's options, with keys in camelCase. */
export type ObjectSchema = JsonSchema & { readonly type: 'object'; readonly properties: object };
