/** A type with its keys, and those of its parts, as ADK's files spell them. */
export type SnakeKeys<T> = T extends readonly (infer Item)[]
  ? readonly (Item | SnakeKeys<Item>)[]
  : T extends object
    ? { readonly [Key in keyof T as Key extends string ? SnakeKey<Key> : Key]: T[Key] | SnakeKeys<T[Key]> }
    : T;

/** `matchType` as `match_type`; a key that is only known to be a text stays one. */
type SnakeKey<Key extends string> = Key extends `${infer Head}${infer Tail}`
  ? Head extends Lowercase<Head>
    ? `${Head}${SnakeKey<Tail>}`
    : `_${Lowercase<Head>}${SnakeKey<Tail>}`
  : Key;
