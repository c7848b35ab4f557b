import { CriteriaError, type Problem } from '@agent-criteria/core';
import { createRegistry } from '@agent-criteria/core/host';
import { forEachVariant, variantProblems } from '@agent-criteria/runner';
import { openProject, type Project } from '../config/open-project.ts';
import type { Settings } from '../config/settings/settings-type.ts';
import { splitAgent } from '../config/variants.ts';
import { collectProblems, uniqueProblems } from '../files/collect-problems.ts';
import { namedEvalSets } from '../files/find-files.ts';
import { missingAgentKeys } from '../plan/agent-keys.ts';
import { plannedRepeats } from '../plan/auto-repeats.ts';
import { chooseSets } from '../plan/choose-cases.ts';
import { findAgent, loadAgent } from '../plan/load-agent.ts';
import { type PreparedSet, planSets, warningsOf } from '../plan/plan-sets.ts';
import { failedInRun } from './failed-cases.ts';
import type { FoundAgent, PreparedRun, PrepareRunOptions } from './prepared-run.ts';

/** Prepares a run of agents on eval sets. */
export async function newRun(options: PrepareRunOptions): Promise<PreparedRun> {
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
    return failedInRun(failedIn, agents, project);
  });
  const choice = { ids, filter, failed: failed ?? undefined };
  const chosen = await chooseSets(await namedEvalSets(options.evalSets, first, found), choice, found);
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
  // Without these keys, every case would fail with an error that may not say where the key belongs.
  const keys: Problem[] = [];
  for (const file of files) keys.push(...(await missingAgentKeys(file, project.environment)));
  const warnings = uniqueProblems([...found.warnings, ...warningsOf(sets), ...ofRepeats, ...keys]);
  return { project, sets, agents, source: { kind: 'new' }, selection: chosen.selection, ...repeats, judged, warnings };
}
/** An agent that was named: the only one, or one of several. */
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

/** Keeps the variants that were found, because the agent's folder may have a different config. */
function settingsWith(settings: Settings | undefined, named: readonly NamedAgent[]): Settings | undefined {
  if (named.every(({ variant }) => variant === undefined)) return settings;
  const text = ({ path, agentName }: NamedAgent) => (agentName === undefined ? path : `${path}#${agentName}`);
  return { ...settings, variants: Object.fromEntries(named.map((one) => [one.variant, text(one)])) };
}

/** Prepares the agent at a path, with the adapters of the project and of the sets' plugins. */
export function foundAgent(
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
