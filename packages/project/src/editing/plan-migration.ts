import { basename, dirname, join, relative } from 'node:path';
import { CriteriaError, type EvalSet, type Problem } from '@agent-criteria/core';
import { shortTurns } from '@agent-criteria/formats';
import { migrateEvalData, type OldFormat, readEvalData } from '@agent-criteria/formats/migration';
import { isAgentsCliDataset, writeEvalSet } from '@agent-criteria/formats/parse';
import { fieldOf } from '@agent-criteria/formats/schema';
import { type OpenProjectOptions, openProject } from '../config/open-project.ts';
import {
  checkTranslated,
  isAgentsCliConfig,
  isYaml,
  otherYamlText,
  readYamlFile,
  type TranslatedConfig,
  thresholdNote,
  translateAgentsCliConfig,
} from '../files/agents-cli-config.ts';
import { collectProblems, uniqueProblems } from '../files/collect-problems.ts';
import { mayBeConfig } from '../files/find-eval-config.ts';
import { findEvalSets, listEvalSets } from '../files/find-files.ts';
import { hiddenEvalData } from '../files/hidden-eval-data.ts';
import type { JsonText } from '../files/parse-json-text.ts';
import { kindOf } from '../files/path-kind.ts';
import { readJsonFile } from '../files/read-json-file.ts';
import { compareWithFile, jsonText, writeWhole } from '../files/write-file.ts';
import { configProblems, configProblemsWithoutSets } from '../plan/config-problems.ts';

export interface PlanMigrationOptions {
  /**
   * A file of legacy eval data, an agents-cli dataset or config, or an eval set with short turns; or a folder of eval
   * data.
   */
  readonly from: string;
  /**
   * The file to write or, if `from` is a folder, the folder for the new files. Default: in place, which is only allowed
   * for short turns.
   */
  readonly to?: string | undefined;
  /** A session that every case starts from, like ADK's `initial_session_file`. Default: none. */
  readonly initialSessionFile?: string | undefined;
  /**
   * Whether files with different content may be overwritten, and comments lost when rewriting in place. Default
   * `false`.
   */
  readonly overwrite?: boolean | undefined;
  /** The project in which to check a new config, without its agent. Default: no settings and no built-in criteria. */
  readonly project?: Omit<OpenProjectOptions, 'agent'> | undefined;
}

/** The files that a migration would write. */
export interface MigrationPlan {
  readonly files: readonly MigratedFile[];
  /** The agents-cli config if `from` names one. Configs in a folder are not migrated. */
  readonly configs: readonly MigratedConfig[];
  /**
   * Files that need no migration because ADK can read them. Always empty if `from` is a single file and `to` is given.
   */
  readonly left: readonly string[];
  /** Problems with files that cannot be read or already exist. If there are any, nothing is written. */
  readonly problems: readonly Problem[];
  /** Warnings about files that cannot be read. */
  readonly warnings: readonly Problem[];
}

/** A file of eval data, converted to an eval set. */
export interface MigratedFile {
  readonly from: string;
  readonly to: string;
  /** `short-turns` is an eval set with short turns, which ADK does not read. */
  readonly format: OldFormat | 'short-turns';
  readonly evalSet: EvalSet;
  /** Whether the file at `to` already has exactly this content. */
  readonly same: boolean;
  /** Warnings, for example about data that has no place in an eval set. */
  readonly warnings: readonly Problem[];
}

/** An agents-cli config, translated to an ADK config. */
export interface MigratedConfig extends Omit<MigratedFile, 'format' | 'evalSet'>, Pick<TranslatedConfig, 'config'> {
  readonly format: 'agents-cli-config';
}

interface Migrated {
  readonly value: EvalSet;
  readonly format: MigratedFile['format'];
  readonly warnings: readonly Problem[];
}

interface Session {
  readonly file: string;
  readonly value: unknown;
}

/** Plans the migration of eval data that current versions of ADK do not read. Writes nothing. */
export async function planMigration(options: PlanMigrationOptions): Promise<MigrationPlan> {
  const { from, to, initialSessionFile, overwrite = false, project = {} } = options;
  const found = collectProblems();
  const session = await found.attempt(() => readInitialSession(initialSessionFile));
  const isFolder = (await kindOf(from)) === 'folder';
  const sources = (await found.attempt(() => sourcesOf(from, isFolder))) ?? [];
  const files: MigratedFile[] = [];
  const configs: MigratedConfig[] = [];
  const left: string[] = [];
  for (const file of sources) {
    const result = await found.attempt(async () => {
      const read = isYaml(file) ? { value: await readYamlFile(file), warnings: [] } : await readJsonFile(file);
      if (!isFolder && isAgentsCliConfig(read.value)) return migrateConfig(file, to, read.value, project);
      const isNew = !Array.isArray(read.value) && !isAgentsCliDataset(read.value);
      if (isNew && isYaml(file)) throw otherYaml(file, read.value);
      const isShort = isNew && shortTurns(read.value).length > 0;
      const isSet = isFolder || (to === undefined && fieldOf(read.value, 'evalCases') !== undefined);
      if (isNew && !isShort && isSet) return 'new already';
      if (to === undefined) checkInPlace(file, read, { isShort, overwrite });
      const target = to === undefined ? file : isFolder ? join(to, nameIn(from, file)) : to;
      return migrateFile({ from: file, to: target, read, isShort, session: session ?? null });
    });
    if (result === 'new already') left.push(file);
    else if (result !== undefined && 'config' in result) configs.push(result);
    else if (result !== undefined) files.push(result);
  }
  for (const { to: target, same } of [...files, ...configs]) {
    const other = !same && !overwrite && to !== undefined && (await compareWithFile(target, '')) !== 'new';
    if (other) await found.attempt(() => Promise.reject(exists(target)));
  }
  return { files, configs, left, problems: found.problems, warnings: found.warnings };
}

/**
 * Writes the files of a plan, each completely or not at all.
 * @throws CriteriaError with the problems of the plan, or WRITE_FAILED.
 */
export async function writeMigration({ files, configs, problems, warnings }: MigrationPlan): Promise<void> {
  if (problems.length > 0) throw new CriteriaError(uniqueProblems(problems), { warnings: uniqueProblems(warnings) });
  for (const { to, evalSet, same } of files) if (!same) await writeWhole(to, textOf(evalSet));
  for (const { to, config, same } of configs) if (!same) await writeWhole(to, jsonText(config));
}

/** Finds the eval sets in a folder by name or content. */
async function sourcesOf(from: string, isFolder: boolean): Promise<readonly string[]> {
  if (!isFolder) return findEvalSets(from);
  const { files, others } = await listEvalSets(from);
  const hidden = (await hiddenEvalData(others)).flatMap(({ file }) => file ?? []);
  // If there are none, `findEvalSets` throws an error that says why.
  return files.length + hidden.length === 0 ? findEvalSets(from) : [...files, ...hidden].sort();
}

async function readInitialSession(file: string | undefined): Promise<Session | null> {
  return file === undefined ? null : { file, value: (await readJsonFile(file)).value };
}

function nameIn(folder: string, file: string): string {
  return relative(folder, file).replace(/-dataset\.json$/i, '.evalset.json');
}

/** Checks that rewriting a file in place loses nothing. @throws CriteriaError USAGE. */
function checkInPlace(
  file: string,
  { warnings }: JsonText,
  { isShort, overwrite }: { readonly isShort: boolean; readonly overwrite: boolean },
): void {
  if (isShort && (overwrite || warnings.length === 0)) return;
  const changes = warnings.some(({ code }) => code === 'UNSAFE_INTEGER');
  const what = changes ? 'integers beyond 2^53, which would change' : 'comments, which would be lost';
  const message = isShort
    ? `this file has ${what}: name another file for the result, or use --force`
    : 'only eval sets can be rewritten in place; name the new file as well: agent-criteria migrate OLD NEW';
  throw new CriteriaError({ code: 'USAGE', file, message });
}

interface MigrateFileOptions extends Pick<MigratedFile, 'from' | 'to'> {
  readonly read: JsonText;
  readonly isShort: boolean;
  readonly session: Session | null;
}

async function migrateFile({ from, to, read, isShort, session }: MigrateFileOptions): Promise<MigratedFile> {
  const id = basename(to).replace(/(\.(evalset|test))?\.json$/, '');
  const options = { file: from, id, initialSession: session?.value };
  const { value, format, warnings } = inSession(
    session,
    (): Migrated =>
      isShort ? { ...readEvalData(read.value, options), format: 'short-turns' } : migrateEvalData(read.value, options),
  );
  const same = (await compareWithFile(to, textOf(value))) === 'same';
  return { from, to, format, evalSet: value, same, warnings: [...read.warnings, ...warnings, ...unusualName(to)] };
}

/**
 * Migrates a config. @throws CriteriaError USAGE without a name for the new file; INVALID_CONFIG if nothing can be
 * translated.
 */
async function migrateConfig(
  from: string,
  to: string | undefined,
  value: unknown,
  project: Omit<OpenProjectOptions, 'agent'>,
): Promise<MigratedConfig> {
  if (to === undefined) {
    const message =
      'name the new config as well: agent-criteria migrate OLD NEW, as test_config.json beside the eval sets';
    throw new CriteriaError({ code: 'USAGE', file: from, message });
  }
  const translated = translateAgentsCliConfig(value, from);
  checkTranslated(translated, from, value);
  const { config, warnings } = translated;
  const same = (await compareWithFile(to, jsonText(config))) === 'same';
  return {
    from,
    to,
    format: 'agents-cli-config',
    config,
    same,
    warnings: [...warnings, thresholdNote(to), ...(await refusals(to, config, project))],
  };
}

/**
 * Lists the reasons why a run with a new config would be rejected, both for the config alone and with the eval sets
 * next to it.
 */
async function refusals(
  to: string,
  value: unknown,
  options: Omit<OpenProjectOptions, 'agent'>,
): Promise<readonly Problem[]> {
  const folder = dirname(to);
  try {
    const project = await openProject({ ...options, agent: folder });
    const found: Problem[] = [...(await configProblemsWithoutSets({ value, folder }, project))];
    const sets = mayBeConfig(basename(to)) ? await findEvalSets(folder).catch(() => []) : [];
    for (const file of sets.filter((set) => dirname(set) === folder)) {
      found.push(...(await configProblems(file, project, { value, folder })));
    }
    const problems = uniqueProblems(
      found.filter(({ code }) => code !== 'MISSING_ENVIRONMENT').map((one) => ({ ...one, file: one.file ?? to })),
    );
    if (problems.length === 0) return [];
    const message = 'a run with this config would be refused, for the reasons below';
    return [{ code: 'INVALID_CONFIG', file: to, message }, ...problems];
  } catch (error) {
    if (!CriteriaError.is(error)) throw error;
    return error.problems;
  }
}

function textOf(evalSet: EvalSet): string {
  return jsonText(writeEvalSet(evalSet));
}

/** Attributes problems with the initial session to the session's file, which the migration does not know. */
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

function otherYaml(file: string, value: unknown): CriteriaError {
  return new CriteriaError({ code: 'INVALID_CONFIG', file, message: otherYamlText(file, value) });
}

function exists(file: string): CriteriaError {
  const message = 'this file already exists with different content: choose another name, or use --force';
  return new CriteriaError({ code: 'USAGE', file, message });
}
