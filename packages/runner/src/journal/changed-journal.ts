import type { Journal } from './journal.ts';

/** A journal that is the given one, except for the methods in `changes`. */
export function changedJournal(journal: Journal, changes: Partial<Journal>): Journal {
  return {
    states: () => journal.states(),
    inference: (key) => journal.inference(key),
    scores: (key) => journal.scores(key),
    calls: (key) => journal.calls(key),
    keepInference: (record) => journal.keepInference(record),
    keepScores: (record) => journal.keepScores(record),
    keepCall: (record) => journal.keepCall(record),
    close: () => journal.close(),
    ...changes,
  };
}
