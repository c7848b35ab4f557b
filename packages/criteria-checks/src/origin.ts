import manifest from '../package.json' with { type: 'json' };

export const origin = { package: manifest.name, version: manifest.version } as const;
