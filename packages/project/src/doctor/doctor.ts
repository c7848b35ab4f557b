import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import process from 'node:process';
import { CriteriaError, type Plugin, type Problem } from '@agent-criteria/core';
import { createRegistry, type Plan } from '@agent-criteria/core/host';
import { isUrl, listRuns } from '@agent-criteria/runner';
import manifest from '../../package.json' with { type: 'json' };
import { isReplayOnly } from '../config/call-settings.ts';
import { type DescribedSetting, describeSettings } from '../config/describe-settings.ts';
import type { EnvironmentFile } from '../config/environment.ts';
import { type OpenProjectOptions, openProject, type Project } from '../config/open-project.ts';
import { isPlaceholderModel } from '../config/project-models.ts';
import { agentFolder } from '../files/agent-folder.ts';
import { collectProblems, uniqueProblems } from '../files/collect-problems.ts';
import { findEvalSets } from '../files/find-files.ts';
import { missingAgentKeys } from '../plan/agent-keys.ts';
import { findAgent, installedAdapters, loadAgent } from '../plan/load-agent.ts';
import { openPolicies } from '../plan/open-policies.ts';
import { plannedModels } from '../plan/planned-models.ts';
import { type CheckedModel, checkModels } from './check-models.ts';
import { type CheckedService, checkServices } from './check-services.ts';
import { type CheckedSet, checkSets } from './check-sets.ts';
import { copiesOfCore, type InstalledPackage, installedPackages } from './installed-packages.ts';

export interface DoctorOptions extends OpenProjectOptions {
  /** The module, folder or URL of an agent. Default: the working folder, if it contains one. */
  readonly agent?: string | undefined;
  /** Whether to call no model and no server. Default `false`: every model receives one small request. */
  readonly offline?: boolean | undefined;
  /** Aborts calls in flight. Default: never. */
  readonly signal?: AbortSignal | undefined;
}

/** The environment of a run and the problems that would prevent it, as plain JSON without the values of variables. */
export interface Findings {
  /** The version of the running Node. */
  readonly node: string;
  readonly packages: readonly InstalledPackage[];
  /** The configuration, or `null` if it has mistakes. */
  readonly configuration: {
    /** The `agent-criteria.config` file, or `null` if there is none. */
    readonly file: string | null;
    readonly environment: readonly EnvironmentFile[];
    readonly settings: readonly DescribedSetting[];
  } | null;
  /** The module or URL of the agent, or `null` if there is none. */
  readonly agent: string | null;
  readonly sets: readonly CheckedSet[];
  readonly models: readonly CheckedModel[];
  readonly services: readonly CheckedService[];
  readonly plugins: readonly FoundPlugin[];
  /** The folder for runs, or `null` if no run can be saved. */
  readonly runs: { readonly folder: string; readonly count: number } | null;
  /** Problems that prevent a run. */
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
}

export interface FoundPlugin {
  readonly kind: Plugin['kind'];
  readonly name: string;
  readonly package: string;
  readonly version: string;
}

/**
 * Checks the environment of a run: versions, packages, settings, the agent, the models and services that the eval sets
 * use, and the folder for runs. `validateFiles` checks the eval sets and configs themselves. Does not import the agent,
 * but does call the models and the server of an agent behind a URL.
 */
export async function doctor(options: DoctorOptions = {}): Promise<Findings> {
  const { agent: given, offline = false, signal = new AbortController().signal } = options;
  const found = collectProblems();
  const warnings: Problem[] = [];
  await found.attempt(checkNode);
  // Without the option, the working folder may or may not be an agent.
  const here = given ?? ((await isAgent('.')) ? '.' : undefined);
  const project = (await found.attempt(() => openProject({ ...options, agent: here }))) ?? null;
  const agent = here === undefined ? null : ((await found.attempt(() => findAgent(here))) ?? null);
  const folder = here === undefined ? '.' : await agentFolder(here).catch(() => '.');

  const packages = await installedPackages([folder, '.']);
  const copies = await found.attempt(() => copiesOfCore(packages));
  warnings.push(...(copies ?? []), ...(project?.config.warnings ?? []));

  const plugins = new Map<string, Plugin>();
  const keyOf = ({ kind, name }: Plugin) => `${kind} ${name}`;
  const add = (plugin: Plugin) => plugins.set(keyOf(plugin), plugin);
  project?.config.plugins.forEach(add);
  const files = project === null || here === undefined ? [] : await findEvalSets(folder).catch(() => []);
  const checked = project && (await checkSets(files, project, found));
  checked?.plugins.forEach(add);
  warnings.push(...(checked?.warnings ?? []));
  const plans = checked?.plans ?? [];
  if (project !== null && agent === null && files.length === 0 && project.config.file === null && given === undefined) {
    await found.attempt(() => {
      throw new CriteriaError({ code: 'EMPTY', message: NOTHING });
    });
  }
  if (agent !== null) {
    if (project !== null) {
      warnings.push(...(await missingAgentKeys(agent, project.environment)));
      if (files.length === 0 && !isUrl(agent)) warnings.push({ code: 'EMPTY', file: folder, message: NO_SETS });
    }
    const adapters = collectProblems();
    for (const adapter of (await adapters.attempt(() => installedAdapters(agent))) ?? []) {
      if (!plugins.has(keyOf(adapter))) add(adapter);
    }
    // Problems with adapters are only warnings, because an agent that is a plain function needs no adapter.
    warnings.push(...adapters.problems);
    // Checks only agents behind a URL, because importing a module would run code.
    if (isUrl(agent)) await found.attempt(() => checkUrl(agent, [...plugins.values()], offline, signal));
  }
  if (project !== null) await found.attempt(() => checkRecording(plans, project));
  const models = project && (await found.attempt(() => modelsOf(plans, { project, offline, signal })));
  const services = project === null ? [] : checkServices(plans, project, isReplayOnly(project.config));
  const runs = project && (await found.attempt(() => checkRunsFolder(project.runsFolder)));
  const configuration = project && {
    file: project.config.file,
    environment: project.environment.files,
    settings: describeSettings(project.config),
  };
  return {
    node: process.versions.node,
    packages,
    configuration,
    agent,
    sets: checked?.sets ?? [],
    models: models ?? [],
    services,
    plugins: [...plugins.values()].map(({ kind, name, origin }) => ({ kind, name, ...origin })),
    runs: runs ?? null,
    // The plans of eval sets already report most problems with models.
    problems: uniqueProblems([
      ...found.problems,
      ...(models ?? []).flatMap((model) => unreported(found.problems, model)),
    ]),
    warnings: uniqueProblems(warnings),
  };
}

const NOTHING =
  'there is nothing to evaluate here: no agent (app, agent or index, in TypeScript or JavaScript) and no eval set. agent-criteria init writes a small agent and an eval set that run right away; for an agent that is elsewhere: agent-criteria doctor AGENT';
const NO_SETS =
  'the agent has no eval set in its folder: write one (agent-criteria init proposes one), or name it: agent-criteria eval AGENT EVALSET';

/**
 * Checks the agent behind a URL. @throws CriteriaError if no adapter accepts it, and with the problems that the agent
 * reports.
 */
async function checkUrl(url: string, plugins: readonly Plugin[], offline: boolean, signal: AbortSignal): Promise<void> {
  const adapters = plugins.filter((plugin) => plugin.kind === 'agent-adapter');
  const agent = await loadAgent(url, createRegistry(adapters));
  const problems = offline ? [] : ((await agent.check?.(signal)) ?? []);
  if (problems.length > 0) throw new CriteriaError(problems);
}

async function modelsOf(
  plans: readonly Plan[],
  { project, offline, signal }: { project: Project; offline: boolean; signal: AbortSignal },
): Promise<readonly CheckedModel[]> {
  const recorded = isReplayOnly(project.config);
  // A model without a provider has already been reported.
  const planned = plannedModels(plans).filter(({ model }) => recorded || !isPlaceholderModel(model));
  return checkModels({ project, planned, offline, recorded, signal });
}

/** Opens the recording if all answers come from one. @throws CriteriaError if it cannot be read. */
async function checkRecording(plans: readonly Plan[], project: Project): Promise<void> {
  if (!isReplayOnly(project.config)) return;
  const opened = await openPolicies(plans, project.config, { cache: false });
  await opened?.close();
}

/** Returns the problems of a model that have not been reported yet. */
function unreported(reported: readonly Problem[], { problems }: CheckedModel): readonly Problem[] {
  return problems.filter(({ message }) => !reported.some((problem) => problem.message === message));
}

/** Checks the version of Node. @throws CriteriaError if it is older than the package requires. */
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

/** Checks that runs can be saved. @throws CriteriaError WRITE_FAILED. */
export async function checkRunsFolder(folder: string): Promise<{ readonly folder: string; readonly count: number }> {
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
      const message = `runs cannot be saved here: ${(error as Error).message}; choose another folder with --runs-folder`;
      throw new CriteriaError({ code: 'WRITE_FAILED', file: folder, message }, { cause: error });
    }
  }
}
