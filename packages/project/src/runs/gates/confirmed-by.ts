import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { CriteriaError } from '@agent-criteria/core';
import { confirmedRun } from '@agent-criteria/results';
import { type OpenedRun, openRun } from '@agent-criteria/runner';

/**
 * The run whose regression the run of a folder was begun to confirm; `null`: it confirms none. When it is resumed, both runs still decide
 * together: alone, the second run could pass although the first did not.
 *
 * @throws CriteriaError USAGE if the first run no longer exists.
 */
export function confirmedBy(folder: string): OpenedRun | null {
  const id = confirmedRun(openRun(folder).scoringPlan?.gates ?? []);
  if (id === undefined) return null;
  const first = join(dirname(folder), id);
  // An edited plan must not lead out of the folder of runs.
  if (basename(first) === id && existsSync(first)) return openRun(first);
  const message = `this run was begun to confirm a regression that was found by the run ${id}, which no longer exists: start again with agent-criteria eval … --confirm`;
  throw new CriteriaError({ code: 'USAGE', message });
}
