import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { refusal } from '../http/refusal.ts';
import { isInside } from '../security/inside-folder.ts';
import type { Studio } from '../studio.ts';

/** The ids of the runs, the newest first: an id begins with the time. */
export async function runIds({ runsFolder }: Pick<Studio, 'runsFolder'>): Promise<readonly string[]> {
  const names = await readdir(runsFolder).catch(() => []);
  return names.filter((name) => existsSync(join(runsFolder, name, 'plan.json'))).toSorted((a, b) => (a < b ? 1 : -1));
}

/** The folder of a run, by an id of a request. @throws A refusal, 404. */
export async function runFolder(studio: Pick<Studio, 'runsFolder'>, id: string): Promise<string> {
  const { runsFolder } = studio;
  const folder = (await runIds(studio)).find((one) => one === id);
  if (folder !== undefined && (await isInside(runsFolder, join(runsFolder, folder)))) return join(runsFolder, folder);
  throw refusal(404, `There is no run "${id}".`);
}
