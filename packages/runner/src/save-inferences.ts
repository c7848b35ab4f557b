import { resolve } from 'node:path';
import { CriteriaError } from '@agent-criteria/core';
import type { RunInference } from '@agent-criteria/results';
import { redactInference, redactionOf } from './engine/redact.ts';
import { type PlannedSet, withUniqueIds } from './planned-set.ts';
import { leaseOptions } from './run-folder/lease.ts';
import { saveRun } from './run-folder/saved-run.ts';
import { checkRunSettings, type RunSettings } from './settings.ts';
import { caseText, seenHash } from './unit-key.ts';

export interface SaveInferencesOptions extends RunSettings {
  /** A new or empty folder for the run. */
  readonly folder: string;
  /** The sets that the inferences belong to. */
  readonly sets: readonly PlannedSet[];
  /** The inferences. Those of cases that are not in the sets are skipped. */
  readonly inferences: readonly RunInference[];
  /** The name that reports use for the source of the inferences. */
  readonly agent: string;
  /** How many times each case ran. */
  readonly repeats: number;
}

/**
 * Creates a run from inferences that were recorded elsewhere, without judging them. Like any other run, it can be
 * judged with `scoreRun` and opened with `openRun`.
 *
 * @throws CriteriaError USAGE for two inferences of the same unit, RUN_CHANGED for a folder with another run,
 *   RUN_LOCKED, WRITE_FAILED.
 */
export async function saveInferences(options: SaveInferencesOptions): Promise<void> {
  checkRunSettings(options);
  const { agent, repeats, inferences } = options;
  const folder = resolve(options.folder);
  const sets = withUniqueIds(options.sets);
  const cases = new Map(
    sets.flatMap(({ plan: { evalSet } }) =>
      evalSet.evalCases.map((evalCase) => [caseText({ setId: evalSet.evalSetId, caseId: evalCase.evalId }), evalCase]),
    ),
  );
  const redaction = redactionOf(options, sets);
  const task = { sets, repeats, agent: { name: agent, path: null }, redaction, judge: false };
  const { journal } = await saveRun({ ...task, folder, lease: leaseOptions(options, folder) });
  try {
    for (const { key, inference, startedAt = 0, endedAt = 0 } of inferences) {
      const evalCase = cases.get(caseText(key));
      if (evalCase === undefined) continue;
      const safe = redactInference(inference, redaction);
      const record = { key, ticket: 1, seen: seenHash(evalCase), inference: safe, startedAt, endedAt };
      if ((await journal.keepInference(record)) === 'kept') continue;
      const message = `there are two inferences of the case "${key.caseId}", repeat ${key.repeat}: give each its own repeat`;
      throw new CriteriaError({ code: 'USAGE', message });
    }
  } finally {
    await journal.close();
  }
}
