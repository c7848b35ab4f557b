import { join } from 'node:path';
import { listRun, type RunListing } from '@agent-criteria/runner';
import { isInside } from '../security/inside-folder.ts';
import type { Studio } from '../studio.ts';

/** A run as a line of a list; `null` for a link that leads out of the folder of runs. */
export async function listInside({ runsFolder }: Pick<Studio, 'runsFolder'>, id: string): Promise<RunListing | null> {
  const folder = join(runsFolder, id);
  return (await isInside(runsFolder, folder)) ? listRun(folder) : null;
}
