import manifest from '../package.json' with { type: 'json' };

/**
 * Properties shared by the four criteria: they are measured in every run, and lower is better if a config sets a
 * threshold.
 */
export const measured = {
  origin: { package: manifest.name, version: manifest.version },
  decides: true,
  measuredByDefault: true,
  readsAnswer: false,
  range: { min: 0, max: null, better: 'lower' },
  adk: { mean: 'sum', missing: 'dropped' },
} as const;
