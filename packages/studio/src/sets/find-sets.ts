import { realpath } from 'node:fs/promises';
import { basename, relative, resolve, sep } from 'node:path';
import { CriteriaError } from '@agent-criteria/core';
import { type EvalSetFile, readEvalSetFile } from '@agent-criteria/project/editing';
import { findDatasets, findEvalSets, loadEvalSet } from '@agent-criteria/project/files';
import type { RunSetPlace } from '../api.ts';
import { type App, appOf } from '../apps/app.ts';
import { type RefusalStatus, refusal } from '../http/refusal.ts';
import { isInside } from '../security/inside-folder.ts';
import type { Studio } from '../studio.ts';

export interface FoundSet {
  readonly app: App;
  /** Name in requests: the file name for ADK's own sets, or `a.home.test` for `a/home.test.json`. */
  readonly id: string;
  readonly file: string;
}

/**
 * Lists the eval set files of an app, including agents-cli datasets, in its folder and below, sorted by id. Requests
 * contain ids, which are looked up here, so a request never becomes part of a path. Links that lead outside the folder
 * are left out.
 *
 * @param others Other apps, to which the sets in their folders belong.
 */
export async function findSets(app: App, others: readonly App[] = []): Promise<readonly FoundSet[]> {
  const { folder } = app;
  const below = others
    .filter((other) => other.folder.startsWith(`${folder}${sep}`))
    .map((other) => `${other.folder}${sep}`);
  const found = new Map<string, string>();
  for (const file of await filesOf(folder)) {
    if (below.some((other) => file.startsWith(other)) || !(await isInside(folder, file))) continue;
    const id = idOf(relative(folder, file));
    if (!found.has(id)) found.set(id, file);
  }
  return [...found].map(([id, file]) => ({ app, id, file })).toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

function idOf(path: string): string {
  return path
    .split(sep)
    .join('.')
    .replace(/\.evalset\.json$/i, '')
    .replace(/\.json$/i, '');
}

async function filesOf(folder: string): Promise<readonly string[]> {
  const datasets = await findDatasets(folder);
  try {
    return [...(await findEvalSets(folder)), ...datasets];
  } catch (error) {
    if (CriteriaError.is(error) && error.code === 'EMPTY') return datasets;
    throw error;
  }
}

/** Finds a set of an app. @throws A refusal with status 404, or with the status that ADK returns here. */
export async function setOf(
  { apps }: Pick<Studio, 'apps'>,
  appName: string | undefined,
  id: string | undefined,
  status: RefusalStatus = 404,
): Promise<FoundSet> {
  const app = appOf({ apps }, appName);
  const sets = await findSets(app, apps);
  const set = sets.find((one) => one.id === id);
  if (set !== undefined) return set;
  const there = sets.length === 0 ? 'The app has none yet.' : `There are: ${sets.map((one) => one.id).join(', ')}.`;
  throw refusal(status, `Eval set \`${id}\` not found for app \`${app.name}\`. ${there}`);
}

/**
 * Finds the editable eval sets of a run in this studio by file. JSON Lines files and agents-cli datasets are not
 * editable.
 *
 * @param files Files by the id of the set in the run.
 */
export async function placesOfSets(
  { apps }: Pick<Studio, 'apps'>,
  files: ReadonlyMap<string, string | null>,
): Promise<readonly RunSetPlace[]> {
  const places: RunSetPlace[] = [];
  for (const [runSet, file] of files) {
    if (file === null || /(\.jsonl|-dataset\.json)$/i.test(file)) continue;
    const wanted = await real(file);
    for (const app of apps) {
      if (!wanted.startsWith(`${await real(app.folder)}${sep}`)) continue;
      for (const found of await findSets(app, apps)) {
        if ((await real(found.file)) === wanted) places.push({ runSet, app: app.name, set: found.id });
      }
    }
  }
  return places;
}

/** Resolves links. The path of a missing file stays unchanged. */
export async function real(path: string): Promise<string> {
  return realpath(path).catch(() => resolve(path));
}

/** Opens a set in any format. @throws CriteriaError listing every mistake in the file. */
export async function openSet({ file }: FoundSet): Promise<EvalSetFile> {
  if (isJsonLines(file)) return { ...(await loadEvalSet(file)), file };
  return readEvalSetFile(file, { legacyId: basename(file).replace(/(?:\.evalset|\.test|-dataset)?\.json$/i, '') });
}

/** Opens a set for editing. @throws CriteriaError UNKNOWN_FORMAT for JSON Lines files and agents-cli datasets. */
export async function openSetToEdit(found: FoundSet): Promise<EvalSetFile> {
  const { file } = found;
  const set = isJsonLines(file) ? null : await openSet(found);
  if (set !== null && set.isDataset !== true) return set;
  const what = set === null ? 'JSON Lines' : 'Datasets of agents-cli';
  const how = set === null ? '' : ' with agent-criteria migrate';
  const message = `${what} can be shown and run here, but not edited: edit the file, or make an eval set (.evalset.json) of it${how}`;
  throw new CriteriaError({ code: 'UNKNOWN_FORMAT', file, message });
}

function isJsonLines(file: string): boolean {
  return /\.jsonl$/i.test(file);
}
