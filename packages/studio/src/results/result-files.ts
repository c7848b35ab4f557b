import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { EvalSetResult } from '@agent-criteria/formats';
import { parseEvalSetResult } from '@agent-criteria/formats/parse';
import { readJsonFile } from '@agent-criteria/project/files';
import type { App } from '../apps/app.ts';
import { refusal } from '../http/refusal.ts';
import { isInside } from '../security/inside-folder.ts';

const ENDING = '.evalset_result.json';

export interface ResultFile {
  readonly id: string;
  readonly file: string;
}

/** Returns the folder in which ADK stores the results of an app. */
export function historyFolder({ folder }: App): string {
  return join(folder, '.adk', 'eval_history');
}

/** Lists ADK's result files for an app, sorted by id. */
export async function resultFiles(app: App): Promise<readonly ResultFile[]> {
  const history = historyFolder(app);
  // A link may lead anywhere.
  if (!(await isInside(app.folder, history))) return [];
  const found: ResultFile[] = [];
  for (const name of (await readdir(history)).filter((one) => one.endsWith(ENDING)).toSorted()) {
    const file = join(history, name);
    if (await isInside(app.folder, file)) found.push({ id: name.slice(0, -ENDING.length), file });
  }
  return found;
}

/**
 * Opens a result of an app.
 *
 * @param id ADK's client derives it from `creationTimestamp`, which JavaScript formats without `.0`.
 * @param others What else the id may be, if there is no such result.
 * @throws A 404 refusal.
 */
export async function openResult(
  app: App,
  id: string,
  others: () => Promise<readonly string[]> = async () => [],
): Promise<EvalSetResult> {
  const files = await resultFiles(app);
  const named = (name: string) => files.find((one) => one.id === name) ?? files.find((one) => one.id === `${name}.0`);
  const found = named(id) ?? (await others()).map(named).find((one) => one !== undefined);
  if (found === undefined) throw refusal(404, `Eval result not found: ${id}`);
  return readResult(found.file);
}

export async function readResult(file: string): Promise<EvalSetResult> {
  return parseEvalSetResult((await readJsonFile(file)).value, { file }).value;
}

/** Lists ADK's result files for an app, newest first. */
export async function newestResultFiles(app: App): Promise<readonly ResultFile[]> {
  const timed = await Promise.all(
    (await resultFiles(app)).map(async (one) => ({ one, time: (await stat(one.file)).mtimeMs })),
  );
  return timed.toSorted((a, b) => b.time - a.time).map(({ one }) => one);
}
