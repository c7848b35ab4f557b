import { resolve } from 'node:path';
import { type CaseResult, summarise } from '@agent-criteria/core/host';
import { outcomeOf } from '@agent-criteria/results';
import type { GatesOfCases } from './conclude-run.ts';
import { changedJournal, type Journal } from './journal/journal.ts';
import { countCases } from './planned-set.ts';
import { type SaveRunOptions, saveRun } from './run-folder/saved-run.ts';
import { caseText } from './unit-key.ts';

type CaseIds = Pick<CaseResult, 'setId' | 'caseId' | 'variant'>;

/** The run folder for cases that run one by one, in any order and possibly more than once. */
export interface SavedCases {
  /**
   * Returns a journal that also stores a case in the folder.
   * @param memory A new journal for a single run of the case.
   */
  with(memory: Journal, ids: CaseIds): Journal;
  /** Records the result of a case. */
  note(result: CaseResult): void;
  /** @param gates The results of the gates, or `null` if they were not checked. */
  close(gates: GatesOfCases | null): Promise<void>;
}

/** Creates or opens the folder. @throws CriteriaError like `saveRun`. */
export async function saveCases(options: Omit<SaveRunOptions, 'judge'>): Promise<SavedCases> {
  const { journal, record, finish } = await saveRun({ ...options, folder: resolve(options.folder), judge: true });
  const { sets, variants, gates: planned = [] } = options;
  const results = new Map<string, CaseResult>();
  const starts = new Map<string, number>();
  return {
    with(memory, ids) {
      const text = caseText(ids);
      const earlier = starts.get(text) ?? 0;
      starts.set(text, earlier + 1);
      return teeJournal(memory, journal, earlier, () => results.has(text));
    },
    note: (result) => void results.set(caseText(result), result),
    async close(gates) {
      await journal.close();
      if (results.size !== countCases(sets) * (variants?.length ?? 1)) return;
      const summary = summarise([...results.values()]);
      const unasked = gates === null && planned.length > 0;
      record(outcomeOf({ summary, gates: gates?.results, decide: gates?.decide, unasked }));
      finish(summary);
    },
  };
}

/**
 * Stores everything in two journals. Records are read, and tickets taken, from the first. The second may already
 * contain the units, so it gets higher tickets.
 *
 * @param earlier How many times these units were requested from the second journal before.
 * @param hasResult Whether the second journal has a result for the case, which must not be replaced by an inference
 *   that was cut short.
 */
function teeJournal(first: Journal, second: Journal, earlier: number, hasResult: () => boolean): Journal {
  // Closing stops only the first; the second carries on with the next case.
  return changedJournal(first, {
    async keepInference(record) {
      const outcome = await first.keepInference(record);
      const isCut = record.inference.ending.by === 'abort' && hasResult();
      if (!isCut) await second.keepInference({ ...record, ticket: record.ticket + earlier });
      return outcome;
    },
    async keepScores(record) {
      const outcome = await first.keepScores(record);
      const later = { ticket: record.ticket + earlier, of: record.of + earlier };
      const completed = record.case && { ...record.case, of: record.case.of.map((ticket) => ticket + earlier) };
      await second.keepScores({ ...record, ...later, case: completed });
      return outcome;
    },
    async keepCall(record) {
      const outcome = await first.keepCall(record);
      await second.keepCall(record);
      return outcome;
    },
  });
}
