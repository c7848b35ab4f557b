/**
 * The contract version of each kind of plugin. A version is raised when plugins built for the previous one stop
 * working.
 */
export interface SpecVersions {
  readonly criterion: 3;
  readonly 'model-provider': 1;
  readonly 'user-simulator': 1;
  readonly 'tool-simulator': 1;
  readonly 'agent-adapter': 3;
}

/** The common properties of all plugins. Package and name identify a plugin. */
export interface Registered<Kind extends keyof SpecVersions, Name extends string = string> {
  readonly kind: Kind;
  /** The contract version for its kind. */
  readonly specVersion: SpecVersions[Kind];
  readonly name: Name;
  readonly origin: Origin;
}

/** The npm package of a plugin. */
export interface Origin {
  readonly package: string;
  /** A semantic version. If several copies of one package are installed, the newest is used. */
  readonly version: string;
}
