import type { Journal } from './journal.ts';

/** Keeps nothing: for runs of which only the summary is wanted, whatever their length. */
export const noJournal: Journal = {
  async *states() {},
  inference: async () => null,
  scores: async () => null,
  calls: async () => [],
  keepInference: async () => 'kept',
  keepScores: async () => 'kept',
  keepCall: async () => 'kept',
  close: async () => undefined,
};
