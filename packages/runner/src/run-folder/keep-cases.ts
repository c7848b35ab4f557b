import { basename, resolve } from 'node:path';
import { type CaseResult, stringifyJson, summarise } from '@agent-criteria/core/host';
import type { Journal } from '../journal.ts';
import { timeNow } from '../own-globals.ts';
import { countCases, type PlannedSet } from '../planned-set.ts';
import type { RunSettings } from '../run.ts';
import { openBlobs } from './blobs.ts';
import { type AgentFacts, describeRun, makeFolder, writeNewRun } from './create-run.ts';
import { openFolderJournal } from './folder-journal.ts';
import { lockFolder } from './lock.ts';
import { writeSummary } from './summary-file.ts';

/** The run folder of cases that run one by one, in any order, and again. */
export interface KeptCases {
  /** Stays open when a case has ended. */
  readonly journal: Journal & { close(): void };
  /** A case has come to its end. */
  note(result: CaseResult): void;
  close(): void;
}

export function keepCases(
  folder: string,
  sets: readonly PlannedSet[],
  about: {
    readonly agent: AgentFacts;
    readonly repeats: number;
    readonly settings: RunSettings;
  },
): KeptCases {
  const { agent, repeats, settings } = about;
  const { redact, prices } = settings;
  makeFolder(folder);
  const unlock = lockFolder(folder);
  try {
    const blobs = openBlobs(folder);
    const plans = describeRun({ sets, agent, repeats, id: basename(resolve(folder)), now: timeNow() });
    writeNewRun(folder, plans, true, blobs, redact);
    const journal = openFolderJournal({ folder, scoring: 1, repeats, blobs, redact, prices });
    const results = new Map<string, CaseResult>();
    const nameOf = (setId: string, caseId: string) => stringifyJson([setId, caseId]);
    return {
      journal: {
        ...journal,
        // Of a case that runs again, an attempt that was cut short says nothing: what it came to before stands.
        keepInference: (evalCase, recorded) =>
          results.has(nameOf(recorded.key.setId, recorded.key.caseId)) && recorded.inference.ending.by === 'abort'
            ? recorded
            : journal.keepInference(evalCase, recorded),
        close() {},
      },
      note: (result) => void results.set(nameOf(result.setId, result.caseId), result),
      close() {
        try {
          journal.close();
          const total = countCases(sets);
          if (results.size === total) writeSummary(folder, 1, summarise([...results.values()]), total * repeats);
        } finally {
          unlock();
        }
      },
    };
  } catch (error) {
    unlock();
    throw error;
  }
}
