import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { CriteriaError, type Problem } from '@agent-criteria/core';
import { type OpenProjectOptions, openProject, type Project } from '../config/open-project.ts';
import { collectProblems, uniqueProblems } from '../files/collect-problems.ts';
import { EMPTY_SET } from '../files/load-eval-set.ts';
import { didYouMeanPath } from '../files/similar-path.ts';
import { type CheckedFile, checkFile, type SkippedFile } from './check-file.ts';
import { isData } from './file-kind.ts';

export interface ValidateFilesOptions extends Omit<OpenProjectOptions, 'agent'> {
  /**
   * Files and folders. Files in folders are checked if their name or content is recognised; other data files are listed
   * as skipped.
   */
  readonly paths: readonly string[];
  /**
   * A config file that judges every eval set and is itself checked. Default: the one next to each set, else the
   * project's.
   */
  readonly config?: string | undefined;
}

/** The result of checking files. */
export interface Validation {
  /** The checked files in the order of the paths, each once. */
  readonly files: readonly CheckedFile[];
  /** JSON, JSON Lines and YAML files in folders that were not checked, each with the reason. */
  readonly skipped: readonly SkippedFile[];
  /** The mistakes in all files and the missing paths, each reported once. */
  readonly problems: readonly Problem[];
  /** The problems of missing paths. */
  readonly missing: readonly Problem[];
  /** The warnings about all files, each reported once. */
  readonly warnings: readonly Problem[];
}

/**
 * Reads files as a run would, and reports every mistake in each of them: eval sets with the configs and plugins that
 * judge them, configs, results, session inputs and scenarios. Runs no agent and calls no model.
 *
 * @throws CriteriaError USAGE if there is nothing to check.
 */
export async function validateFiles(options: ValidateFilesOptions): Promise<Validation> {
  const { paths, config, ...how } = options;
  const found = collectProblems();
  const files: Found[] = [];
  for (const path of paths) files.push(...((await found.attempt(() => filesOf(path))) ?? []));
  if (config !== undefined) files.push({ file: config, named: true });

  const projects = new Map<string, Promise<Project>>();
  const projectOf = (folder: string): Promise<Project> => {
    const project = projects.get(folder) ?? openProject({ ...how, agent: folder });
    projects.set(folder, project);
    return project;
  };
  const read: ReadFile[] = [];
  const skipped: SkippedFile[] = [];
  const seen = new Set<string>();
  // A named file must be recognised, even if its folder is named first.
  const named = new Set(files.filter((one) => one.named).map(({ file }) => resolve(file)));
  for (const { file } of files) {
    if (seen.has(resolve(file))) continue;
    seen.add(resolve(file));
    const isNamed = named.has(resolve(file));
    const result = await checkFile(file, isNamed, { config, projectOf });
    if ('checked' in result) read.push({ ...result.checked, isNamed });
    else skipped.push(result.skipped);
  }
  const checked = withEmptyAsWarnings(read);
  const problems = uniqueProblems([...found.problems, ...checked.flatMap((one) => one.problems)]);
  const own = checked.map((one) => ({
    ...one,
    problems: one.problems.filter((problem) => isOwn(problem, one, seen)),
  }));
  const warnings = uniqueProblems(checked.flatMap((one) => one.warnings));
  if (checked.length === 0 && problems.length === 0) {
    const others = skipped.map(({ file, reason }) => `${file} (${reason})`).join(', ');
    const message = `there is nothing to check in ${paths.join(', ')}: no eval set, config, result, session or scenarios${others === '' ? '' : `. Skipped: ${others}`}`;
    throw new CriteriaError({ code: 'USAGE', message });
  }
  return { files: own, skipped, problems, missing: found.problems, warnings };
}

interface ReadFile extends CheckedFile {
  readonly isNamed: boolean;
}

/** Turns the error for an empty eval set into a warning if the user did not name the set and another set has cases. */
function withEmptyAsWarnings(read: readonly ReadFile[]): readonly CheckedFile[] {
  const isEmpty = ({ kind, problems }: CheckedFile) =>
    kind === 'eval set' &&
    problems.length > 0 &&
    problems.every(({ code, path }) => code === 'EMPTY' && path === '$.eval_cases');
  const isAlone = !read.some((one) => one.kind === 'eval set' && !isEmpty(one));
  return read.map(({ isNamed, ...one }) => {
    if (isNamed || isAlone || !isEmpty(one)) return one;
    const { file } = one;
    const warning: Problem = { code: 'EMPTY', file, path: '$.eval_cases', message: EMPTY_SET };
    return { ...one, problems: [], warnings: [...one.warnings, warning], content: { cases: 0 } };
  });
}

/**
 * Whether a problem is shown with this file. Mistakes in a checked config are shown with the config, not with its sets.
 */
function isOwn({ file }: Problem, checked: CheckedFile, seen: ReadonlySet<string>): boolean {
  return file === undefined || resolve(file) === resolve(checked.file) || !seen.has(resolve(file));
}

interface Found {
  readonly file: string;
  /** Whether the user named it, so that it must be recognised. */
  readonly named: boolean;
}

async function filesOf(path: string): Promise<Found[]> {
  let isFolder: boolean;
  try {
    isFolder = (await stat(path)).isDirectory();
  } catch (error) {
    const message = `there is no such file or folder${await didYouMeanPath(path)}`;
    throw new CriteriaError({ code: 'FILE_NOT_FOUND', file: path, message }, { cause: error });
  }
  if (!isFolder) return [{ file: path, named: true }];
  const entries = await readdir(path, { withFileTypes: true });
  const found: Found[] = [];
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    // ADK saves results in a hidden folder; other hidden folders are skipped.
    if (entry.name === 'node_modules' || (entry.name.startsWith('.') && entry.name !== '.adk')) continue;
    const file = join(path, entry.name);
    if (entry.isDirectory()) found.push(...(await filesOf(file)));
    else if (isData(entry.name)) found.push({ file, named: false });
  }
  return found;
}
