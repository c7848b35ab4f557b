import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { PreparedGates, PreparedRun } from '@agent-criteria/project';
import { safe } from '@agent-criteria/report/terminal';
import { openRun } from '@agent-criteria/runner';
import { usage } from './arguments.ts';

/**
 * The gates of a run that is resumed. One that was begun to confirm a regression goes on doing so: by itself, it could hold although
 * the first run did not.
 *
 * @throws CriteriaError USAGE where the first run is gone.
 */
export async function resumedConfirmation(
  { folder }: Pick<PreparedRun, 'folder'>,
  gates: PreparedGates,
): Promise<PreparedGates> {
  const id = folder === undefined ? undefined : openRun(folder).scoringPlan?.gates?.find(isConfirming)?.confirms;
  if (folder === undefined || id === undefined) return gates;
  const first = join(dirname(folder), id);
  if (existsSync(first)) return gates.confirming(openRun(first));
  throw usage(
    `this run was begun to confirm the regression that the run ${safe(id)} found, which is not there any more: begin again with agent-criteria eval … --confirm`,
  );
}

function isConfirming({ name, confirms }: { readonly name: string; readonly confirms?: string | undefined }): boolean {
  return name === 'regression' && confirms !== undefined;
}
