/** What every plugin says of itself. Its identity is package and name. */
export interface Registered<Kind extends string, Name extends string = string> {
  readonly kind: Kind;
  /** The version of the plugin contract. */
  readonly specVersion: 1;
  readonly name: Name;
  readonly origin: Origin;
}

/** The npm package that a plugin comes from. */
export interface Origin {
  readonly package: string;
  /** Semantic version: among copies of one package, the newer replaces the older. */
  readonly version: string;
}
