import type { Gates } from '@agent-criteria/analysis';
import { type Agent, CriteriaError, type Problem } from '@agent-criteria/core';
import { createRegistry } from '@agent-criteria/core/host';
import type { CaseSelection, RunInference } from '@agent-criteria/results';
import { forEachVariant, openRun, variantProblems } from '@agent-criteria/runner';
import { type OpenProjectOptions, openProject, type Project } from '../config/open-project.ts';
import type { Settings } from '../config/settings/settings-type.ts';
import { splitAgent } from '../config/variants.ts';
import { collectProblems, uniqueProblems } from '../files/collect-problems.ts';
import { missingAgentKeys } from '../plan/agent-keys.ts';
import { type PlannedRepeats, plannedRepeats } from '../plan/auto-repeats.ts';
import type { CaseFilter } from '../plan/case-filter.ts';
import { chooseSets } from '../plan/choose-cases.ts';
import { findAgent, loadAgent } from '../plan/load-agent.ts';
import { type PreparedSet, planSets, setsOfAgent } from '../plan/plan-sets.ts';
import { chooseRecordedCases, planRecordedSets } from '../plan/recorded-sets.ts';
import { failedCases, findRun, recordedAgents, runToCompare } from './find-run.ts';
import type { RecordedScores } from './recorded/read-recorded-result.ts';

/** All that `executeRun` needs; nothing has run yet. */
export interface PreparedRun extends PlannedRepeats {
  readonly project: Project;
  readonly sets: readonly PreparedSet[];
  /** The agent; of several, the first. `null`: what the folder has is scored once more. */
  readonly agent: FoundAgent | null;
  /** The agents that run side by side; `undefined`: there is one. */
  readonly variants?: readonly PreparedVariant[] | undefined;
  /** Which cases of the eval sets are asked for; `undefined`: all, or all that the run has. */
  readonly selection: CaseSelection | undefined;
  /** `false`: the agent is run and recorded, and nothing is judged. */
  readonly judged: boolean;
  /** Of a run that is continued, or scored again; `undefined`: a new one is made. */
  readonly folder: string | undefined;
  /** Inferences that were recorded elsewhere, to be scored in a run of their own. Default: none. */
  readonly recorded?: RecordedScores | undefined;
  /** Inferences of another run, to be judged in a run of their own. Default: none. */
  readonly copied?: { readonly agent: string; readonly inferences: readonly RunInference[] } | undefined;
  /** What is odd in configs and sets. */
  readonly warnings: readonly Problem[];
}

/** An agent that is there. Importing it runs code, so that this is done last. */
export interface FoundAgent {
  /** Its module or its URL. */
  readonly file: string;
  /** The name by which it is chosen among those of its module, if it is. */
  readonly agentName: string | undefined;
  /** @throws CriteriaError when the module does not load, or exports no agent. */
  load(): Promise<Agent>;
}

/** One of several agents that run side by side. */
export interface PreparedVariant {
  readonly variant: string;
  /** `null`: what the folder has of it is scored once more. */
  readonly agent: FoundAgent | null;
}

export interface PrepareRunOptions extends OpenProjectOptions {
  /**
   * The module, folder or URL of the agent. Default: the variants of the settings, or of the config that is found from the working
   * folder, which run side by side.
   */
  readonly agent?: string | undefined;
  /** Files, folders, patterns, or ids of sets of the agent, each with cases after a colon if only those are to run. Default: all in the agent's folder. */
  readonly evalSets?: readonly string[] | undefined;
  /** Only the cases with these ids, of whichever set has them. Default: all. */
  readonly cases?: readonly string[] | undefined;
  /** Of these, only the cases that fit. `failedIn: 'last'` is the last judged run of this agent. Default: all. */
  readonly filter?: CaseFilter | undefined;
  /** The file of a config that judges every set. Default: the one beside each set, else the project's. */
  readonly config?: string | undefined;
  /** The agent to evaluate of those of the module. Default: the module's agent. */
  readonly agentName?: string | undefined;
  /** Gates beside those of the configs, as flags have them: `repeats: 'auto'` needs `casePassRate`. Default: none. */
  readonly gates?: Gates | undefined;
  /** Only the agent runs, and is recorded; nothing is judged. Default: both. */
  readonly only?: 'inferences' | undefined;
}

/**
 * Prepares a new run from paths and names. Everything is read and checked. The agent's module is found, but not
 * imported.
 *
 * @throws CriteriaError with every mistake in any of it.
 */
export async function prepareRun(options: PrepareRunOptions): Promise<PreparedRun> {
  const { cases: ids = [], filter = {}, config, only, gates } = options;
  const { failedIn } = filter;
  const named = await namedAgents(options);
  const first = named[0]?.path ?? '';
  const project = await openProject({ ...options, agent: first, settings: settingsWith(options.settings, named) });
  const found = collectProblems();
  const failed = await found.attempt(async () => {
    if (failedIn === undefined) return null;
    const agents = [];
    for (const { path, agentName } of named) {
      agents.push({ file: await findAgent(path).catch(() => path), agentName });
    }
    return failedCases(runToCompare(failedIn, agents, project), project);
  });
  const choice = { ids, filter, failed: failed ?? undefined };
  const chosen = await chooseSets(first, options.evalSets ?? (await setsOfAgent(first)), choice, found);
  const sets = await planSets(chosen.sets, { config, project, only }, found);
  const files: string[] = [];
  for (const { path, variant } of named) {
    await found.attempt(() => forEachVariant([{ variant }], async () => void files.push(await findAgent(path))));
  }
  const judged = only === undefined;
  const times = await found.attempt(async () =>
    plannedRepeats(project.config.settings.repeats, { sets, gates, judged }),
  );
  found.throwIfAny();
  const { warnings: ofRepeats = [], ...repeats } = times ?? { repeats: 1 };
  const agents = named.map(({ path, agentName, variant }, index) => {
    const file = files[index] ?? path;
    return { variant, agent: foundAgent({ path, file, agentName }, sets, project) };
  });
  // Else every case fails, with an error that may not say where the key belongs.
  const keys: Problem[] = [];
  for (const file of files) keys.push(...(await missingAgentKeys(file, project.environment)));
  const warnings = uniqueProblems([...found.warnings, ...warningsOf(sets), ...ofRepeats, ...keys]);
  const { selection } = chosen;
  return { project, sets, ...preparedAgents(agents), selection, ...repeats, judged, folder: undefined, warnings };
}

/** An agent as it is named: the one, or one of several. */
interface NamedAgent {
  readonly path: string;
  readonly agentName: string | undefined;
  readonly variant: string | undefined;
}

async function namedAgents(options: PrepareRunOptions): Promise<readonly NamedAgent[]> {
  const { agent, agentName, settings = {} } = options;
  if (agent !== undefined) {
    if (settings.variants === undefined) return [{ path: agent, agentName, variant: undefined }];
    const message = `both an agent ("${agent}") and variants are given: use one or the other`;
    throw new CriteriaError({ code: 'USAGE', message });
  }
  const variants = settings.variants ?? (await openProject(options)).config.settings.variants;
  if (variants === undefined) {
    throw new CriteriaError({ code: 'USAGE', message: 'name an agent, or variants: agents by name' });
  }
  const names = Object.keys(variants);
  const problems = variantProblems(names);
  if (problems.length > 0) throw new CriteriaError(problems);
  if (agentName !== undefined) {
    const message = `the agent name "${agentName}" is for a single agent: with variants, write ${names[0]}=AGENT#${agentName}`;
    throw new CriteriaError({ code: 'USAGE', message });
  }
  const named: NamedAgent[] = [];
  for (const [variant, text] of Object.entries(variants)) {
    const { path, agentName: own } = await splitAgent(text);
    named.push({ variant, path, agentName: own });
  }
  return named;
}

/** The config may be another one where the agent is: the variants stay those that were found. */
function settingsWith(settings: Settings | undefined, named: readonly NamedAgent[]): Settings | undefined {
  if (named.every(({ variant }) => variant === undefined)) return settings;
  const text = ({ path, agentName }: NamedAgent) => (agentName === undefined ? path : `${path}#${agentName}`);
  return { ...settings, variants: Object.fromEntries(named.map((one) => [one.variant, text(one)])) };
}

function preparedAgents(
  agents: readonly { readonly variant: string | undefined; readonly agent: FoundAgent | null }[],
): Pick<PreparedRun, 'agent' | 'variants'> {
  const variants = agents.flatMap(({ variant, agent }) => (variant === undefined ? [] : [{ variant, agent }]));
  return { agent: agents[0]?.agent ?? null, variants: variants.length === 0 ? undefined : variants };
}

/**
 * Prepares an existing run to be continued with the same plan: missing units run, and errors run again.
 *
 * @param word Its folder, its id or the beginning of its id. Default: the last run.
 * @throws CriteriaError if the run does not exist, its files no longer exist, or its agent was not a module.
 */
export async function prepareResume(
  word: string | undefined,
  options: Omit<OpenProjectOptions, 'agent'> = {},
): Promise<PreparedRun> {
  const folder = findRun(word, (await openProject(options)).runsFolder);
  const opened = openRun(folder);
  const { repeats, auto, compat } = opened.plan;
  const recorded = recordedAgents(opened.plan).map(({ variant, name, path, agentName }) => {
    if (path !== null) return { variant, path, agentName };
    const whose = variant === undefined ? 'the agent of this run' : `the agent of the variant "${variant}"`;
    const message = `${whose} (${name}) was not a module: continue the run from the code that started it`;
    throw new CriteriaError({ code: 'AGENT_NOT_FOUND', file: folder, message });
  });
  const project = await openProject({ ...options, agent: recorded[0]?.path });
  const found = collectProblems();
  // A run whose scorings were lost is judged once more.
  const judged = opened.plan.judged === true || opened.scoringPlan !== null;
  const sets = await planRecordedSets(
    opened,
    { same: true, chosen: undefined, config: undefined },
    { project, compat: opened.scoringPlan?.compat ?? compat, only: judged ? undefined : 'inferences' },
    found,
  );
  found.throwIfAny();
  const again = recorded.map(({ variant, path, agentName }) => {
    return { variant, agent: foundAgent({ path, file: path, agentName }, sets, project) };
  });
  const { selection } = opened.plan;
  const warnings = warningsOf(sets);
  return { project, sets, ...preparedAgents(again), selection, repeats, auto, judged, folder, warnings };
}

export interface PrepareRescoreOptions extends Omit<OpenProjectOptions, 'agent'> {
  /** Only the cases with these ids. Default: all that the run has. */
  readonly cases?: readonly string[] | undefined;
  /** Of these, only the cases that fit. `failedIn: 'last'` is this run itself, by its last scoring. Default: all. */
  readonly filter?: CaseFilter | undefined;
  /** The file of a config that judges every set. Default: the one that each set was judged by. */
  readonly config?: string | undefined;
}

/**
 * Prepares a recorded run to be judged by the current references, rubrics and criteria. No agent runs.
 *
 * @param word Its folder, its id or the beginning of its id. Default: the last run.
 * @throws CriteriaError if the run does not exist or has none of the cases, or with every mistake in sets and configs.
 */
export async function prepareRescore(
  word: string | undefined,
  options: PrepareRescoreOptions = {},
): Promise<PreparedRun> {
  const { cases: ids = [], filter = {}, config } = options;
  const { failedIn } = filter;
  const folder = findRun(word, (await openProject(options)).runsFolder);
  const opened = openRun(folder);
  const { repeats, auto, compat } = opened.plan;
  const recorded = recordedAgents(opened.plan);
  const project = await openProject({ ...options, agent: recorded[0]?.path ?? undefined });
  const found = collectProblems();
  const failed = await found.attempt(async () => {
    if (failedIn === undefined) return null;
    return failedCases(failedIn === 'last' ? opened : openRun(findRun(failedIn, project.runsFolder)), project);
  });
  const choice = { ids, filter, failed: failed ?? undefined };
  const chosen = await found.attempt(() => chooseRecordedCases(opened, choice));
  const sets = await planRecordedSets(
    opened,
    { same: false, chosen: chosen?.cases, config },
    { project, compat: project.config.settings.compat ?? compat, only: 'scores' },
    found,
  );
  found.throwIfAny();
  const selection = chosen?.selection;
  const { variants } = preparedAgents(recorded.map(({ variant }) => ({ variant, agent: null })));
  const warnings = warningsOf(sets);
  return { project, sets, agent: null, variants, selection, repeats, auto, judged: true, folder, warnings };
}

/** The agent of a path, by the adapters of the project and of what the sets brought. */
function foundAgent(
  { path, file, agentName }: { readonly path: string } & Omit<FoundAgent, 'load'>,
  sets: readonly PreparedSet[],
  project: Project,
): FoundAgent {
  const adapters = [
    ...project.config.plugins.filter((plugin) => plugin.kind === 'agent-adapter'),
    ...sets.flatMap((set) => set.registry.list('agent-adapter')),
  ];
  const registry = createRegistry([...new Set(adapters)]);
  return { file, agentName, load: () => loadAgent(path, registry, { agentName }) };
}

export function warningsOf(sets: readonly PreparedSet[]): readonly Problem[] {
  return uniqueProblems(sets.flatMap((set) => set.warnings ?? []));
}
