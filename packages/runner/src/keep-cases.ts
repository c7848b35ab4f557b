import { resolve } from 'node:path';
import { type CaseResult, summarise } from '@agent-criteria/core/host';
import { outcomeOf } from '@agent-criteria/results';
import type { GatesOfCases } from './conclude-run.ts';
import type { Journal } from './journal/journal.ts';
import { teeJournal } from './journal/tee-journal.ts';
import { caseText } from './key-text.ts';
import { countCases } from './planned-set.ts';
import { type KeepRunOptions, keepRun } from './run-folder/keep-run.ts';

type CaseIds = Pick<CaseResult, 'setId' | 'caseId' | 'variant'>;

/** The run folder of cases that run one by one, in any order, and again. */
export interface KeptCases {
  /** Keeps in the folder, too, what a case comes to. @param memory A new journal, for this time alone. */
  with(memory: Journal, ids: CaseIds): Journal;
  /** A case has come to its end. */
  note(result: CaseResult): void;
  /** @param gates The results of the gates; `null`: they were not asked. */
  close(gates: GatesOfCases | null): Promise<void>;
}

/** @throws CriteriaError WRITE_FAILED. */
export async function keepCases(options: Omit<KeepRunOptions, 'judge'>): Promise<KeptCases> {
  const { journal, record, finish } = await keepRun({ ...options, folder: resolve(options.folder), judge: true });
  const results = new Map<string, CaseResult>();
  const times = new Map<string, number>();
  return {
    with(memory, ids) {
      const text = caseText(ids);
      const earlier = times.get(text) ?? 0;
      times.set(text, earlier + 1);
      // Of a case that runs again, what was cut short says nothing: what it came to before stands.
      return teeJournal(
        memory,
        journal,
        earlier,
        ({ inference }) => inference.ending.by === 'abort' && results.has(text),
      );
    },
    note: (result) => void results.set(caseText(result), result),
    async close(gates) {
      await journal.close();
      const total = countCases(options.sets) * (options.variants?.length ?? 1);
      if (results.size !== total) return;
      const summary = summarise([...results.values()]);
      const unasked = gates === null && (options.gates ?? []).length > 0;
      record(outcomeOf({ summary, gates: gates?.results, decide: gates?.decide, unasked }));
      finish(summary);
    },
  };
}
