import manifest from '../package.json' with { type: 'json' };

/** The version of this package, recorded in every run. */
export const coreVersion: string = manifest.version;
