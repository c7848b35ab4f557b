import { rm } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { userFilePath } from '@agent-criteria/calls';
import { CriteriaError, type Json } from '@agent-criteria/core';
import { formatProblem } from '@agent-criteria/formats';
import type { Project } from '@agent-criteria/project';
import { bytesOf, editJsonText, jsonText, parseJsonText, writeWhole } from '@agent-criteria/project/files';
import { configProblems, type UnsavedConfig } from '@agent-criteria/project/plan';
import { projectOf } from '../apps/app.ts';
import { refusal } from '../http/refusal.ts';
import { isInside } from '../security/inside-folder.ts';
import { type FoundSet, findSets } from '../sets/find-sets.ts';
import type { Studio } from '../studio.ts';
import { runChoices } from './run-choices.ts';
import { type AskedConfig, mergedConfig, textOf, type VersionedConfig, versionedConfig } from './run-config.ts';

/**
 * Saves the criteria of a set in its config, or in `test_config.json` next to the set. The config must be valid and
 * based on the current version. Comments that begin with `//` are kept.
 *
 * @param seen The `If-Match` header.
 * @returns a key for undoing the change.
 * @throws A refusal with status 400 or 422 if the config is invalid, or 412 if it has changed since it was read.
 */
export async function saveConfig(
  studio: Studio,
  found: FoundSet,
  { asked, seen }: { readonly asked: AskedConfig; readonly seen: string },
): Promise<string> {
  const { app } = found;
  const project = await projectOf(studio, app);
  const folder = dirname(found.file);
  return studio.locks.with(join(folder, 'test_config.json'), async () => {
    const now = await versionedConfig(project, found.file);
    const file = isBeside(now, folder) ? (now.read.file as string) : join(folder, 'test_config.json');
    const changed = async () => {
      const theirs = await runChoices(studio, found);
      const detail = 'The config was changed elsewhere since it was opened; nothing was saved.';
      return refusal(412, detail, { version: theirs.version, theirs, yours: asked });
    };
    if (seen !== '*' && seen !== now.version) throw await changed();
    if (!(await isInside(app.folder, dirname(userFilePath(file))))) {
      throw refusal(400, `${relative(app.folder, file)} is a link that leads out of the folder: edit the file itself.`);
    }
    const text = configText(now, asked, folder);
    await refuseMistakes(studio, found, project, { value: parseJsonText(text).value, folder });
    // Compares the file with what was read, so that concurrent changes by other programs are not overwritten.
    const before = await bytesOf(file);
    const isAsSeen =
      (before === null ? null : Buffer.from(before).toString('utf8')) === (isBeside(now, folder) ? now.text : null);
    if (!isAsSeen) throw await changed();
    await writeWhole(file, text, before);
    return studio.deletions.keep((before?.length ?? 0) + text.length, async () => {
      await studio.locks.with(join(folder, 'test_config.json'), () => bringBack(file, before, text));
      return { app: app.name, set: found.id, case: null };
    });
  });
}

function isBeside({ read: { file } }: VersionedConfig, folder: string): boolean {
  return file !== undefined && dirname(resolve(file)) === resolve(folder);
}

function configText(now: VersionedConfig, asked: AskedConfig, folder: string): string {
  const beside = isBeside(now, folder);
  const move = (path: string, from: string) => (beside ? path : pathFrom(folder, resolve(from, path)));
  const merged = mergedConfig(now.read, asked, move) as Json;
  return beside && now.text !== null ? editJsonText(now.text, merged) : jsonText(merged);
}

function pathFrom(folder: string, path: string): string {
  const way = relative(folder, path).split(sep).join('/');
  return way.startsWith('.') ? way : `./${way}`;
}

/** Checks the set and all valid sets in the folder, because they share the config. */
async function refuseMistakes(studio: Studio, found: FoundSet, project: Project, config: UnsavedConfig): Promise<void> {
  const own = await configProblems(found.file, project, config);
  if (own.length > 0) throw new CriteriaError(own);
  const folder = dirname(found.file);
  for (const { id, file } of await findSets(found.app, studio.apps)) {
    if (file === found.file || dirname(file) !== folder) continue;
    const problems = await configProblems(file, project, config);
    if (problems.length === 0 || (await configProblems(file, project)).length > 0) continue;
    throw refusal(
      400,
      `The config judges the set \`${id}\` too, which could not run with it:\n${problems.map(formatProblem).join('\n')}`,
    );
  }
}

/** @throws A 409 refusal if the file has changed since. */
async function bringBack(file: string, before: Uint8Array | null, saved: string): Promise<void> {
  if ((await textOf(file)) !== saved) {
    throw refusal(409, 'The config was changed again since it was saved: it is left as it is now.');
  }
  if (before === null) await rm(file);
  else await writeWhole(file, before);
}
