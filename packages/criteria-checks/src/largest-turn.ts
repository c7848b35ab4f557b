import { origin } from './origin.ts';

/** What the limits of turns have in common: lower is better, and the largest turn of a case decides. */
export const largestTurn = {
  origin,
  range: { min: 0, max: null, better: 'lower' },
  aggregate: (values: readonly number[]) => values.reduce((most, value) => Math.max(most, value), 0),
  readsAnswer: false,
  scope: 'turn',
} as const;
