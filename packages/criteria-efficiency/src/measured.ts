import manifest from '../package.json' with { type: 'json' };

/** What the four have in common: measured in every run, and lower is better where a config gives one a threshold. */
export const measured = {
  origin: { package: manifest.name, version: manifest.version },
  decides: true,
  measuredByDefault: true,
  readsAnswer: false,
  range: { min: 0, max: null, better: 'lower' },
  adk: { mean: 'sum', missing: 'dropped' },
} as const;
