import { constants } from 'node:fs';
import { access, readFile, realpath } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { CriteriaError, type Plugin, type Problem } from '@agent-criteria/core';
import { coreVersion, createRegistry, type Plan, pluginsOf } from '@agent-criteria/core/host';
import {
  agentFolder,
  collectProblems,
  type DescribedSetting,
  describeSettings,
  findAgent,
  findEvalSets,
  installedAdapters,
  isStandIn,
  loadAgent,
  openPolicies,
  type Project,
  plannedModels,
  planSet,
  replays,
  resolveFrom,
  type Settings,
  settings,
  settingsOfFlags,
  uniqueProblems,
} from '@agent-criteria/project';
import { problemText } from '@agent-criteria/report';
import { oneLine, safe } from '@agent-criteria/report/terminal';
import { installLine, isUrl, knownCriteria, knownSimulators, listRuns } from '@agent-criteria/runner';
import manifest from '../package.json' with { type: 'json' };
import { atMost, parseFlags } from './arguments.ts';
import { type CheckedModel, checkModels, keyText } from './check-models.ts';
import { type CheckedService, checkServices } from './check-services.ts';
import { commandFlags } from './command-flags.ts';
import { type Io, painter } from './io.ts';
import { printJson } from './print-json.ts';
import { count } from './print-problems.ts';
import { openProject } from './project.ts';

const SCOPE = '@agent-criteria/';
const PACKAGES = [
  ...[
    'cli',
    'project',
    'runner',
    'report',
    'viewer',
    'core',
    'models',
    'judge',
    'model-gemini',
    'agent-adk',
    'agent-http',
  ],
  ...['vertex-evaluation', 'vitest', 'studio'],
].map((name) => SCOPE + name);

/** A package of ours as it is found from a folder. */
interface Installed {
  readonly name: string;
  readonly version: string;
  readonly folder: string;
}

interface CheckedSet {
  readonly file: string;
  readonly config: string | null;
  readonly cases: number;
  readonly criteria: readonly { readonly name: string; readonly package: string; readonly version: string }[];
}

/** What a run would find, and what stands in its way. */
interface Findings {
  readonly packages: readonly Installed[];
  readonly project: Project | null;
  readonly agent: string | null;
  readonly sets: readonly CheckedSet[];
  readonly models: readonly CheckedModel[];
  readonly services: readonly CheckedService[];
  readonly plugins: readonly Plugin[];
  readonly runs: { readonly folder: string; readonly count: number } | null;
  /** These keep a run from beginning. */
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/** `agent-criteria doctor [AGENT]`: everything that a run needs, looked at before one is begun. */
export async function doctorCommand(args: readonly string[], io: Io): Promise<number> {
  const { flags, positionals } = parseFlags(args, commandFlags.doctor);
  atMost(1, positionals, 'agent-criteria doctor [AGENT]');
  const how = { given: settingsOfFlags(flags), offline: flags.offline === true };
  const findings = await look(positionals[0], how, io);
  if (flags.json === true) printJson(asJson(findings), io);
  else io.out(format(findings, io));
  return findings.problems.length > 0 ? 2 : 0;
}

interface How {
  /** What flags set. */
  readonly given: Settings;
  readonly offline: boolean;
}

async function look(given: string | undefined, { given: set, offline }: How, io: Io): Promise<Findings> {
  const found = collectProblems();
  const warnings: Problem[] = [];
  await found.attempt(checkNode);
  // Without a name, the working folder may be an agent; when it is none, that is no mistake.
  const here = given ?? ((await isAgent('.')) ? '.' : undefined);
  const project = (await found.attempt(() => openProject(here, set, io))) ?? null;
  const agent = here === undefined ? null : ((await found.attempt(() => findAgent(here))) ?? null);
  const folder = here === undefined ? '.' : await agentFolder(here).catch(() => '.');

  const packages = await installedPackages([folder, '.']);
  const copies = await found.attempt(() => copiesOfCore(packages));
  warnings.push(...(copies ?? []), ...(project?.config.warnings ?? []));

  const sets: CheckedSet[] = [];
  const plugins = new Map<string, Plugin>();
  const keyOf = ({ kind, name }: Plugin) => `${kind} ${name}`;
  const add = (plugin: Plugin) => plugins.set(keyOf(plugin), plugin);
  project?.config.plugins.forEach(add);
  const files = project === null || here === undefined ? [] : await findEvalSets(folder).catch(() => []);
  const plans: Plan[] = [];
  for (const file of files) {
    const options = { config: undefined, project: project as Project };
    const planned = await found.attempt(() => planSet(file, [], options));
    if (planned === undefined) {
      // A model without a key is told by name all the same.
      const unreached = await planSet(file, [], { ...options, modelsRecorded: true }).catch(() => null);
      if (unreached !== null) plans.push(unreached.plan);
      continue;
    }
    plans.push(planned.plan);
    pluginsOf(planned.registry).forEach(add);
    warnings.push(...planned.warnings);
    sets.push({
      file,
      config: planned.configFile,
      cases: planned.plan.evalSet.evalCases.length,
      criteria: planned.plan.criteria.map(({ name, criterion }) => ({ name, ...criterion.origin })),
    });
  }
  if (agent !== null) {
    const adapters = collectProblems();
    for (const adapter of (await adapters.attempt(() => installedAdapters(agent))) ?? []) {
      if (!plugins.has(keyOf(adapter))) add(adapter);
    }
    // A function needs none.
    warnings.push(...adapters.problems);
    // Importing a module would run code.
    if (isUrl(agent)) await found.attempt(() => checkUrl(agent, [...plugins.values()], offline, io));
  }
  if (project !== null) await found.attempt(() => checkRecording(plans, project));
  const models = project && (await found.attempt(() => modelsOf(plans, { project, offline }, io)));
  const services = project === null ? [] : checkServices(plans, project, replays(project.config));
  const runs = project && (await found.attempt(() => checkRunsFolder(project.runsFolder)));
  return {
    packages,
    project,
    agent,
    sets,
    plugins: [...plugins.values()],
    runs: runs ?? null,
    models: models ?? [],
    services,
    // Whatever asks for a model tells what is missing for it.
    problems: uniqueProblems([...found.problems, ...(models ?? []).flatMap((model) => newTo(found.problems, model))]),
    warnings: uniqueProblems(warnings),
  };
}

/** @throws CriteriaError for a URL that nobody can speak to, and for what the agent behind it says of itself. */
async function checkUrl(url: string, plugins: readonly Plugin[], offline: boolean, { signal }: Io): Promise<void> {
  const adapters = plugins.filter((plugin) => plugin.kind === 'agent-adapter');
  const agent = await loadAgent(url, createRegistry(adapters));
  const problems = offline ? [] : ((await agent.check?.(signal)) ?? []);
  if (problems.length > 0) throw new CriteriaError(problems);
}

async function modelsOf(
  plans: readonly Plan[],
  { project, offline }: { project: Project; offline: boolean },
  { signal }: Io,
): Promise<readonly CheckedModel[]> {
  const recorded = replays(project.config);
  // What nobody provides is told already, and only stands there by its name.
  const planned = plannedModels(plans).filter(({ model }) => recorded || !isStandIn(model));
  return checkModels({ project, planned, offline, recorded, signal });
}

/** @throws CriteriaError for a recording that cannot be read, as a run would tell it. */
async function checkRecording(plans: readonly Plan[], project: Project): Promise<void> {
  if (!replays(project.config)) return;
  const opened = await openPolicies({ plans, project, calls: { cache: false } });
  await opened?.close();
}

/** The problems of a model that nobody has told. */
function newTo(told: readonly Problem[], { problems }: CheckedModel): readonly Problem[] {
  return problems.filter(({ message }) => !told.some((problem) => problem.message === message));
}

/** @throws CriteriaError for a Node that is older than what the package asks for. */
function checkNode(): void {
  const needed = /\d+\.\d+/.exec(manifest.engines.node)?.[0] ?? '0.0';
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [least = 0, leastMinor = 0] = needed.split('.').map(Number);
  if (major > least || (major === least && minor >= leastMinor)) return;
  const message = `Node ${process.versions.node} is too old: agent-criteria needs ${needed} or later`;
  throw new CriteriaError({ code: 'MISSING_ENVIRONMENT', message });
}

async function isAgent(path: string): Promise<boolean> {
  try {
    await findAgent(path);
    return true;
  } catch {
    return false;
  }
}

async function installedPackages(folders: readonly string[]): Promise<Installed[]> {
  const brought = [...knownCriteria.map((known) => known.package), ...knownSimulators.values()];
  const found: Installed[] = [];
  for (const name of new Set([...PACKAGES, ...brought])) {
    for (const folder of new Set(folders.map((one) => resolve(one)))) {
      const installed = await findPackage(name, folder);
      if (installed === null) continue;
      found.push(installed);
      break;
    }
  }
  return found;
}

async function findPackage(name: string, from: string): Promise<Installed | null> {
  const url = await resolveFrom(`${name}/package.json`, from);
  if (url === undefined) return null;
  try {
    const file = await realpath(fileURLToPath(url));
    const { version } = JSON.parse(await readFile(file, 'utf8'));
    return { name, version: String(version), folder: dirname(file) };
  } catch {
    return null;
  }
}

/**
 * Copies of core beside each other share one registry, so that they are odd only: as long as they are of one version.
 * @throws CriteriaError when they are not.
 */
async function copiesOfCore(packages: readonly Installed[]): Promise<Problem[]> {
  const copies = new Map<string, Installed>();
  const here = dirname(fileURLToPath(import.meta.url));
  for (const folder of [here, ...packages.map((installed) => installed.folder)]) {
    const core = await findPackage(`${SCOPE}core`, folder);
    if (core !== null) copies.set(core.folder, core);
  }
  if (copies.size < 2) return [];
  const list = [...copies.values()].map(({ version, folder }) => `${version} in ${folder}`).join('; ');
  const versions = new Set([...copies.values()].map(({ version }) => version));
  const message = `there are ${copies.size} copies of ${SCOPE}core: ${list}`;
  if (versions.size === 1) return [{ code: 'DUPLICATE_PLUGIN', message }];
  const advice = `let one version satisfy all: ${installLine(`${SCOPE}core`)}`;
  throw new CriteriaError({ code: 'DUPLICATE_PLUGIN', message: `${message}; ${advice}` });
}

/** @throws CriteriaError WRITE_FAILED where no run could be kept. */
async function checkRunsFolder(folder: string) {
  let place = resolve(folder);
  for (;;) {
    try {
      await access(place, constants.W_OK);
      return { folder, count: listRuns(folder).length };
    } catch (error) {
      const above = dirname(place);
      if ((error as NodeJS.ErrnoException).code === 'ENOENT' && above !== place) {
        place = above;
        continue;
      }
      const message = `no run can be kept here: ${(error as Error).message}; name another folder with --runs_folder`;
      throw new CriteriaError({ code: 'WRITE_FAILED', file: folder, message }, { cause: error });
    }
  }
}

function format(findings: Findings, io: Io): string {
  const { packages, project, agent, sets, models, services, plugins, runs, problems, warnings } = findings;
  const { bold, red, yellow, green } = painter(io);
  const lines: string[] = [];
  const topic = (name: string, entries: readonly string[]) => {
    if (entries.length > 0) lines.push(bold(name), ...entries.map((entry) => `  ${entry}`), '');
  };
  topic('versions', [
    `Node ${process.versions.node} (${manifest.engines.node} is needed)`,
    `this command ${manifest.version}, with core ${coreVersion}`,
  ]);
  topic(
    'packages found',
    packages.length === 0 ? ['none of agent-criteria in this project'] : packages.map(packageText),
  );
  if (project !== null) {
    topic('in force', [
      project.config.file === null ? 'no agent-criteria.config file' : safe(project.config.file),
      ...project.environment.files.map(environmentText),
    ]);
    topic('settings', describeSettings(project.config).map(settingText));
  }
  topic('agent', agent === null ? [] : [safe(agent)]);
  topic('eval sets', sets.map(setText));
  topic('models', models.map(modelText));
  topic('services', services.map(serviceText));
  topic('plugins', plugins.map(pluginText));
  if (runs !== null) topic('runs', [`${count(runs.count, 'run')} in ${safe(runs.folder)}`]);
  for (const warning of warnings) lines.push(`${yellow('warning')}: ${problemText(warning)}`);
  for (const problem of problems) lines.push(`${red('problem')}: ${problemText(problem)}`);
  if (problems.length === 0) lines.push(green('Nothing stands in the way of a run.'));
  return `${lines.join('\n')}\n`;
}

function packageText({ name, version }: Installed): string {
  return `${safe(name)} ${safe(version)}`;
}

function environmentText({ file, names, ignored }: Project['environment']['files'][number]): string {
  const set = names.length === 0 ? 'nothing new' : names.map(safe).join(', ');
  const before = ignored.length === 0 ? '' : `; set already: ${ignored.map(safe).join(', ')}`;
  return `${safe(file)}: ${set}${before}`;
}

function settingText({ name, value, source, from }: DescribedSetting): string {
  const unit = settings[name].type === 'duration' && value !== null ? ' ms' : '';
  const shown = value === null ? settings[name].without : `${value}${unit}`;
  return safe(`${name}: ${shown} (${from ?? source})`);
}

function setText({ file, config, cases, criteria }: CheckedSet): string {
  const names = criteria.map(({ name }) => safe(name)).join(', ');
  return `${safe(file)}: ${count(cases, 'case')}, judged by ${names} (${config === null ? 'no test_config.json' : safe(config)})`;
}

function modelText({ id, names, askedBy, service, credentials, latency, recorded, problems }: CheckedModel): string {
  const roles = names.filter((name) => name !== id);
  const asked = askedBy.length === 0 ? '' : `, for ${askedBy.join(', ')}`;
  const role = roles.length === 0 ? '' : ` as ${roles.join(', ')}`;
  if (recorded) return safe(`${id}${role}${asked}: not asked, its answers are recorded`);
  const place = service === null ? '' : `: ${service}${keyText({ credentials })}`;
  const answered = latency === null ? 'not asked' : `answered in ${latency} ms`;
  return safe(`${id}${role}${asked}${place}; ${problems.length > 0 ? 'cannot be used' : answered}`);
}

function serviceText({ service, credentials, askedBy, recorded, usable }: CheckedService): string {
  const head = `${service}, for ${askedBy.join(', ')}`;
  if (recorded) return safe(`${head}: not asked, its answers are recorded`);
  return safe(`${head}${keyText({ credentials })}; ${usable ? 'not asked' : 'cannot be asked'}`);
}

function pluginText({ kind, name, origin }: Plugin): string {
  return `${kind} ${oneLine(name, 60)} of ${safe(origin.package)} ${safe(origin.version)}`;
}

function asJson({ packages, project, agent, sets, models, services, plugins, runs, problems, warnings }: Findings) {
  return {
    node: process.versions.node,
    command: { version: manifest.version, core: coreVersion },
    packages,
    config: project?.config.file ?? null,
    environment: project?.environment.files ?? [],
    settings: project === null ? [] : describeSettings(project.config),
    agent,
    sets,
    models,
    services,
    runs,
    plugins: plugins.map(({ kind, name, origin }) => ({ kind, name, ...origin })),
    problems,
    warnings,
  };
}
