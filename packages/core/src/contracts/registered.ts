/**
 * The version of each kind's contract. It is raised when a plugin that was built for the version before would not work
 * any more.
 */
export interface SpecVersions {
  readonly criterion: 3;
  readonly 'model-provider': 1;
  readonly 'user-simulator': 1;
  readonly 'agent-adapter': 3;
}

/** What every plugin says of itself. Its identity is package and name. */
export interface Registered<Kind extends keyof SpecVersions, Name extends string = string> {
  readonly kind: Kind;
  /** The version of the contract of its kind. */
  readonly specVersion: SpecVersions[Kind];
  readonly name: Name;
  readonly origin: Origin;
}

/** The npm package that a plugin comes from. */
export interface Origin {
  readonly package: string;
  /** Semantic version: among copies of one package, the newer replaces the older. */
  readonly version: string;
}
