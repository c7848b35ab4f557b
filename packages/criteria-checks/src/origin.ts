import manifest from '../package.json' with { type: 'json' };

/** Where the criteria of this package come from. */
export const origin = { package: manifest.name, version: manifest.version } as const;
