import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { CriteriaError, type Problem } from '@agent-criteria/core';
import {
  type Parsed,
  parseConversationGenerationConfig,
  parseConversationScenarios,
  parseEvalConfig,
  parseEvalSetResult,
  parseSessionInput,
} from '@agent-criteria/core/host';
import {
  collectProblems,
  type FileKind,
  kindOfFile,
  kindOfOther,
  loadProjectConfig,
  mayBeOurs,
  type Project,
  planSet,
  readJsonFile,
  uniqueProblems,
} from '@agent-criteria/project';
import { problemText } from '@agent-criteria/report';
import { safe } from '@agent-criteria/report/terminal';
import { parseFlags, usage } from './arguments.ts';
import { commandFlags } from './command-flags.ts';
import { type Io, painter } from './io.ts';
import { printJson } from './print-json.ts';
import { count, printWarnings } from './print-problems.ts';
import { openProject } from './project.ts';

interface Checked {
  readonly file: string;
  /** `null`: it cannot be told. */
  readonly kind: FileKind | null;
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
  /** What is in it, in a few words. */
  readonly content?: string;
}

/** `agent-criteria validate FILE...`: every mistake of every file, before anything is run. */
export async function validateCommand(args: readonly string[], io: Io): Promise<number> {
  const { flags, positionals } = parseFlags(args, commandFlags.validate);
  if (positionals.length === 0) throw usage('name files or folders: agent-criteria validate FILE|FOLDER...');
  const config = flags.config_file_path;
  const found = collectProblems();
  const files: Found[] = [];
  for (const path of positionals) files.push(...((await found.attempt(() => filesOf(path))) ?? []));
  if (config !== undefined) files.push({ file: config, named: true });

  const projects = new Map<string, Promise<Project>>();
  const projectOf = (folder: string): Promise<Project> => {
    const project = projects.get(folder) ?? openProject(folder, {}, io);
    projects.set(folder, project);
    return project;
  };
  const checked: Checked[] = [];
  const seen = new Set<string>();
  // A file that is named must be one of ours, also where its folder is named before it.
  const named = new Set(files.filter((one) => one.named).map(({ file }) => resolve(file)));
  for (const { file } of files) {
    if (seen.has(resolve(file))) continue;
    seen.add(resolve(file));
    const result = await check(file, named.has(resolve(file)), { config, projectOf });
    if (result !== null) checked.push(result);
  }
  const problems = uniqueProblems([...found.problems, ...checked.flatMap((one) => one.problems)]);
  const results = checked.map((one) => ({
    ...one,
    problems: one.problems.filter((problem) => isOwn(problem, one, seen)),
  }));
  const warnings = uniqueProblems(checked.flatMap((one) => one.warnings));
  if (checked.length === 0 && problems.length === 0) {
    throw usage(
      `there is nothing to check in ${positionals.join(', ')}: no eval set, config, result, session or scenarios`,
    );
  }
  if (flags.json === true) {
    const elsewhere = found.problems.map((problem) => ({ ...problem }));
    printJson({ files: results.map(asJson), problems: elsewhere }, io);
  } else {
    printWarnings(warnings, io);
    for (const problem of problems) io.err(`${problemText(problem)}\n`);
    io.out(`${results.map((one) => line(one, io)).join('')}${total(checked, problems, warnings)}\n`);
  }
  return problems.length > 0 ? 2 : 0;
}

/** A config that was checked too has its mistakes told on its own line, not on those of the sets that it judges. */
function isOwn({ file }: Problem, checked: Checked, seen: ReadonlySet<string>): boolean {
  return file === undefined || resolve(file) === resolve(checked.file) || !seen.has(resolve(file));
}

interface Found {
  readonly file: string;
  /** By the user: then it must be one of ours. */
  readonly named: boolean;
}

async function filesOf(path: string): Promise<Found[]> {
  let isFolder: boolean;
  try {
    isFolder = (await stat(path)).isDirectory();
  } catch (error) {
    const message = 'there is no such file or folder';
    throw new CriteriaError({ code: 'FILE_NOT_FOUND', file: path, message }, { cause: error });
  }
  if (!isFolder) return [{ file: path, named: true }];
  const entries = await readdir(path, { withFileTypes: true });
  const found: Found[] = [];
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    // The results that ADK keeps are hidden; other hidden folders hold none of ours.
    if (entry.name === 'node_modules' || (entry.name.startsWith('.') && entry.name !== '.adk')) continue;
    const file = join(path, entry.name);
    if (entry.isDirectory()) found.push(...(await filesOf(file)));
    else if (mayBeOurs(entry.name)) found.push({ file, named: false });
  }
  return found;
}

interface Against {
  readonly config: string | undefined;
  /** What is in force for files of a folder. */
  projectOf(folder: string): Promise<Project>;
}

/** `null`: a file of a folder that is none of ours. */
async function check(file: string, named: boolean, against: Against): Promise<Checked | null> {
  const found = collectProblems();
  const name = basename(file);
  const other = kindOfOther(name);
  const read = other === null ? await found.attempt(() => readJsonFile(file)) : undefined;
  const kind = other ?? kindOfFile(name, read?.value, !named);
  if (kind === null && !named) return null;
  if (kind === null && read !== undefined) {
    const message =
      'this is no eval set, config, result, session input, scenarios file or user simulation config that agent-criteria knows';
    return { file, kind, problems: [{ code: 'UNKNOWN_FORMAT', file, path: '$', message }], warnings: [] };
  }
  if (kind === null || (read === undefined && other === null)) {
    return { file, kind, problems: found.problems, warnings: [] };
  }
  const parsed = await found.attempt(() => checkKind(kind, file, read?.value, against));
  const content = parsed?.content;
  return {
    file,
    kind,
    problems: withFile(found.problems, file).filter(isOfFile),
    warnings: [
      // Loading a plan reads the file anew, and tells these again.
      ...uniqueProblems([...withFile(read?.warnings ?? [], file), ...(parsed?.warnings ?? found.warnings)]),
      ...found.problems.filter((problem) => !isOfFile(problem)),
    ],
    content,
  };
}

/** What is not set here may be set where the set is run. */
function isOfFile({ code }: Problem): boolean {
  return code !== 'MISSING_ENVIRONMENT';
}

function withFile(problems: readonly Problem[], file: string): readonly Problem[] {
  return problems.map(({ file: own = file, ...rest }) => ({ file: own, ...rest }));
}

interface Contents {
  readonly warnings: readonly Problem[];
  readonly content?: string;
}

async function checkKind(kind: FileKind, file: string, value: unknown, against: Against): Promise<Contents> {
  const contents = <T>({ value: parsed, warnings }: Parsed<T>, content: (value: T) => string): Contents => ({
    warnings: withFile(warnings, file),
    content: content(parsed),
  });
  switch (kind) {
    case 'eval set': {
      const { plan, warnings } = await plannedSet(file, against);
      const { evalCases } = plan.evalSet;
      const names = plan.criteria.map(({ name }) => name).join(', ');
      return { warnings, content: `${count(evalCases.length, 'case')}, judged by ${names}` };
    }
    case 'config':
      return checkConfig(file, value, against);
    case 'project config':
      return { warnings: (await loadProjectConfig(file)).warnings };
    case 'result':
      return contents(parseEvalSetResult(value, { file }), ({ evalCaseResults = [] }) =>
        count(evalCaseResults.length, 'case'),
      );
    case 'scenarios':
      return contents(parseConversationScenarios(value, { file }), ({ scenarios = [] }) =>
        count(scenarios.length, 'scenario'),
      );
    case 'session input':
      return contents(parseSessionInput(value, { file }), ({ appName }) => `for ${appName}`);
    case 'user simulation config':
      return contents(parseConversationGenerationConfig(value, { file }), (config) => count(config.count, 'scenario'));
  }
}

async function plannedSet(file: string, { config, projectOf }: Against) {
  return planSet(file, [], { config, project: await projectOf(dirname(file)) });
}

/** A config by itself: what depends on cases is checked with each eval set that it judges. */
async function checkConfig(file: string, value: unknown, { projectOf }: Against): Promise<Contents> {
  const found = collectProblems();
  const parsed = await found.attempt(() => parseEvalConfig(value, { file }));
  const project = await projectOf(dirname(file));
  const empty = { evalSetId: 'none', evalCases: [] };
  await found.attempt(() => planSet(empty, [], { config: file, project }));
  const problems = uniqueProblems(found.problems).filter(({ path }) => path !== '$.evalCases');
  if (problems.length > 0) throw new CriteriaError(problems);
  const names = Object.keys(parsed?.value.criteria ?? {});
  return { warnings: parsed?.warnings ?? [], content: names.join(', ') };
}

function asJson({ file, kind, problems, warnings }: Checked) {
  const plain = (list: readonly Problem[]) => list.map((problem) => ({ ...problem }));
  return { file, kind, problems: plain(problems), warnings: plain(warnings) };
}

function line({ file, kind, problems, content }: Checked, io: Io): string {
  const { green, red } = painter(io);
  const mark = problems.length === 0 ? green('ok') : red('no');
  const what = [kind ?? 'unknown', content].filter((part) => part !== undefined && part !== '').join(', ');
  return `${mark}  ${safe(file)}: ${safe(what)}\n`;
}

function total(checked: readonly Checked[], problems: readonly Problem[], warnings: readonly Problem[]): string {
  const odd = warnings.length === 0 ? '' : `, ${count(warnings.length, 'warning')}`;
  return `${count(checked.length, 'file')}: ${problems.length === 0 ? 'no mistake' : count(problems.length, 'mistake')}${odd}`;
}
