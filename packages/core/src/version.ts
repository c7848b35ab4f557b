import manifest from '../package.json' with { type: 'json' };

/** The version of this package: runs record what they were judged by. */
export const coreVersion: string = manifest.version;
