import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { PreparedGates, PreparedRun } from '@agent-criteria/project';
import { safe } from '@agent-criteria/report/terminal';
import { confirmedRun } from '@agent-criteria/results';
import { openRun } from '@agent-criteria/runner';
import { usage } from './arguments.ts';

/**
 * The gates of a run that is resumed. If it was begun to confirm a regression, both runs still decide together: alone, the second run
 * could pass although the first did not.
 *
 * @throws CriteriaError USAGE if the first run no longer exists.
 */
export async function resumedConfirmation(
  { folder }: Pick<PreparedRun, 'folder'>,
  gates: PreparedGates,
): Promise<PreparedGates> {
  const id = folder === undefined ? undefined : confirmedRun(openRun(folder).scoringPlan?.gates ?? []);
  if (folder === undefined || id === undefined) return gates;
  const first = join(dirname(folder), id);
  if (existsSync(first)) return gates.confirming(openRun(first));
  throw usage(
    `this run was begun to confirm a regression that was found by the run ${safe(id)}, which no longer exists: start again with agent-criteria eval … --confirm`,
  );
}
