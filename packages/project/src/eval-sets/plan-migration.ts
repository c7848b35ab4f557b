import { basename, join, relative } from 'node:path';
import { CriteriaError, type EvalSet, type Problem } from '@agent-criteria/core';
import { isAgentsCliDataset, migrateEvalData, type OldFormat } from '@agent-criteria/core/adk';
import { writeEvalSet } from '@agent-criteria/core/host';
import { collectProblems, uniqueProblems } from '../collect-problems.ts';
import { findEvalSets, kindOf } from '../find-files.ts';
import { hiddenEvalData } from '../hidden-eval-data.ts';
import { readJsonFile } from '../read-json-file.ts';
import { compareWithFile, jsonText, writeWhole } from '../write-file.ts';

export interface PlanMigrationOptions {
  /** A file of eval data in a format before eval sets, or a dataset of agents-cli; or a folder of such files. */
  readonly from: string;
  /** The eval set file to be written; of a folder, the folder for them. */
  readonly to: string;
  /** A session that every case starts from, as ADK's `initial_session_file`. Default: none. */
  readonly initialSessionFile?: string | undefined;
  /** Whether files with another content may be overwritten. Default `false`. */
  readonly overwrite?: boolean | undefined;
}

/** What a migration would write. */
export interface MigrationPlan {
  readonly files: readonly MigratedFile[];
  /** Files of a folder that are eval sets already. */
  readonly left: readonly string[];
  /** What cannot be read, and files in the way: with any of these, nothing is written. */
  readonly problems: readonly Problem[];
  /** What was odd in files that cannot be read. */
  readonly warnings: readonly Problem[];
}

/** One file of eval data, as an eval set. */
export interface MigratedFile {
  readonly from: string;
  readonly to: string;
  readonly format: OldFormat;
  readonly evalSet: EvalSet;
  /** Whether the file at `to` has exactly this content already. */
  readonly same: boolean;
  /** What has no place in an eval set, for example. */
  readonly warnings: readonly Problem[];
}

interface Session {
  readonly file: string;
  readonly value: unknown;
}

/** Reads eval data of the formats before eval sets, and writes nothing. */
export async function planMigration(options: PlanMigrationOptions): Promise<MigrationPlan> {
  const { from, to, initialSessionFile, overwrite = false } = options;
  const found = collectProblems();
  const session = await found.attempt(() => readInitialSession(initialSessionFile));
  const isFolder = (await kindOf(from)) === 'folder';
  const sources = (await found.attempt(() => sourcesOf(from, isFolder))) ?? [];
  const files: MigratedFile[] = [];
  const left: string[] = [];
  for (const file of sources) {
    const target = isFolder ? join(to, relative(from, file).replace(/-dataset\.json$/i, '.evalset.json')) : to;
    const result = await found.attempt(() => migrateFile(file, target, session ?? null, isFolder));
    if (result === 'new already') left.push(file);
    else if (result !== undefined) files.push(result);
  }
  for (const { to: target, same } of files) {
    const other = !same && !overwrite && (await compareWithFile(target, '')) !== 'new';
    if (other) await found.attempt(() => Promise.reject(exists(target)));
  }
  return { files, left, problems: found.problems, warnings: found.warnings };
}

/**
 * Writes the files of a plan, each whole or not at all.
 * @throws CriteriaError with the problems of the plan, or WRITE_FAILED.
 */
export async function writeMigration({ files, problems, warnings }: MigrationPlan): Promise<void> {
  if (problems.length > 0) throw new CriteriaError(uniqueProblems(problems), { warnings: uniqueProblems(warnings) });
  for (const { to, evalSet, same } of files) if (!same) await writeWhole(to, textOf(evalSet));
}

/** Of a folder: what is found by its name, and what else is eval data by its content. */
async function sourcesOf(from: string, isFolder: boolean): Promise<readonly string[]> {
  if (!isFolder) return findEvalSets(from);
  const isFound = (name: string) => /\.(evalset|test)\.jsonl?$/i.test(name);
  const hidden = (await hiddenEvalData(from, isFound)).flatMap(({ file }) => file ?? []);
  const named = await findEvalSets(from).catch((error: unknown) => {
    if (hidden.length === 0) throw error;
    return [];
  });
  return [...named, ...hidden].sort();
}

async function readInitialSession(file: string | undefined): Promise<Session | null> {
  return file === undefined ? null : { file, value: (await readJsonFile(file)).value };
}

async function migrateFile(
  from: string,
  to: string,
  session: Session | null,
  inFolder: boolean,
): Promise<MigratedFile | 'new already'> {
  const read = await readJsonFile(from);
  if (inFolder && !Array.isArray(read.value) && !isAgentsCliDataset(read.value)) return 'new already';
  const id = basename(to).replace(/(\.(evalset|test))?\.json$/, '');
  const { value, format, warnings } = inSession(session, () =>
    migrateEvalData(read.value, { file: from, id, initialSession: session?.value }),
  );
  const same = (await compareWithFile(to, textOf(value))) === 'same';
  return { from, to, format, evalSet: value, same, warnings: [...read.warnings, ...warnings, ...unusualName(to)] };
}

function textOf(evalSet: EvalSet): string {
  return jsonText(writeEvalSet(evalSet));
}

/** Core does not know that the session is a file of its own. */
function inSession<T extends { readonly warnings: readonly Problem[] }>(session: Session | null, work: () => T): T {
  const place = (problem: Problem): Problem => {
    const inside = /^initialSession(.*)$/s.exec(problem.path ?? '')?.[1];
    return inside === undefined || session === null ? problem : { ...problem, file: session.file, path: `$${inside}` };
  };
  try {
    const result = work();
    return { ...result, warnings: result.warnings.map(place) };
  } catch (error) {
    if (!CriteriaError.is(error)) throw error;
    throw new CriteriaError(error.problems.map(place), { cause: error });
  }
}

function unusualName(file: string): readonly Problem[] {
  if (/\.(evalset|test)\.json$/.test(file)) return [];
  const message = 'eval sets of a folder are found by their names: rename it to *.evalset.json or *.test.json';
  return [{ code: 'UNKNOWN_FORMAT', file, message }];
}

function exists(file: string): CriteriaError {
  const message = 'this file already exists with different content: choose another name, or use --force';
  return new CriteriaError({ code: 'USAGE', file, message });
}
