import { resolve } from 'node:path';
import { CriteriaError } from '@agent-criteria/core';
import type { RunInference } from '@agent-criteria/results';
import { redactInference, redactionOf } from './engine/redact.ts';
import { caseText } from './key-text.ts';
import { type PlannedSet, withUniqueIds } from './planned-set.ts';
import { keepRun } from './run-folder/keep-run.ts';
import { leaseOptions } from './run-lease.ts';
import { checkRunSettings, type RunSettings } from './settings.ts';
import { seenHash } from './unit.ts';

export interface KeepInferencesOptions extends RunSettings {
  /** Where the run is kept: a new folder, or an empty one. */
  readonly folder: string;
  /** The sets that the inferences are of. */
  readonly sets: readonly PlannedSet[];
  /** Those of cases that the sets do not have are left out. */
  readonly inferences: readonly RunInference[];
  /** What made them, as reports name it. */
  readonly agent: string;
  /** How often each case ran. */
  readonly repeats: number;
}

/**
 * Makes a run of inferences that were recorded elsewhere; nothing is judged yet. `scoreRun` judges it, and `openRun` opens it,
 * like any other.
 *
 * @throws CriteriaError USAGE for two inferences of one unit, RUN_CHANGED for a folder that has another run, RUN_LOCKED, WRITE_FAILED.
 */
export async function keepInferences(options: KeepInferencesOptions): Promise<void> {
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
  const facts = { agent: { name: agent, path: null }, repeats, judge: false, redaction };
  const { journal } = await keepRun({ ...facts, folder, sets, lease: leaseOptions(options, folder) });
  try {
    for (const { key, inference, startedAt = 0, endedAt = 0 } of inferences) {
      const evalCase = cases.get(caseText(key));
      if (evalCase === undefined) continue;
      const made = redactInference(inference, redaction);
      const record = { key, ticket: 1, seen: seenHash(evalCase), inference: made, startedAt, endedAt };
      if ((await journal.keepInference(record)) === 'kept') continue;
      const message = `there are two inferences of the case "${key.caseId}", repeat ${key.repeat}: give each its own repeat`;
      throw new CriteriaError({ code: 'USAGE', message });
    }
  } finally {
    await journal.close();
  }
}
