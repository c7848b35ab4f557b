import { type Agent, CriteriaError } from '@agent-criteria/core';
import { createRegistry } from '@agent-criteria/core/host';
import type { PreparedRun, Project } from '@agent-criteria/project';
import type { AgentLease } from '@agent-criteria/project/agent-process';
import { splitAgent } from '@agent-criteria/project/config';
import { findAgent, loadAgent, loadPlan, type PreparedSet } from '@agent-criteria/project/plan';
import type { BesideAgent, NewTurnRun, TurnRunAgent } from '../api.ts';
import { type App, appOfAgent, projectOf } from '../apps/app.ts';
import { mistake, refusal } from '../http/refusal.ts';
import type { Studio } from '../studio.ts';
import { continues } from './head-start.ts';
import { type SourceTurn, sourceTurn } from './source-turn.ts';

type FoundAgent = NonNullable<PreparedRun['agents'][number]['agent']>;

/** A turn that is ready to run again. */
export interface PreparedTurnRun {
  readonly source: SourceTurn;
  readonly prepared: PreparedRun;
  readonly agents: readonly TurnRunAgent[];
  /** Why nothing is scored, in a complete sentence, or `null`. */
  readonly unscored: string | null;
  /** Names of the variants in the project's config. */
  readonly variants: readonly string[];
}

/**
 * Prepares a run of one case that ends with the turn and has the turns before it as history, so that the engine gives
 * them to the agent, or sends them again, and scores only the turn.
 *
 * @throws A refusal, or CriteriaError if an agent does not load.
 */
export async function prepareTurnRun(studio: Studio, { of, times, beside }: NewTurnRun): Promise<PreparedTurnRun> {
  const source = await sourceTurn(studio, of);
  const project = source.prepared?.project ?? (await projectOf(studio, source.app));
  const found = await ownAgent(source, project);
  const other = beside === undefined ? null : await besideAgent(studio, project, beside);
  const [name, second] = variantNames(source.variant ?? found.agentName ?? source.app.name, other?.name);
  const { set, judged, unscored } = await planTurn(source, project);
  const named = [
    { variant: other === null ? undefined : name, agent: found },
    ...(other === null ? [] : [{ variant: second, agent: other.agent }]),
  ];
  const prepared: PreparedRun = {
    project,
    sets: [set],
    agents: named,
    source: { kind: 'new' },
    selection: undefined,
    repeats: times,
    judged,
    warnings: set.warnings ?? [],
  };
  const agents: TurnRunAgent[] = [];
  for (const [place, { variant, agent }] of named.entries()) {
    const shown = place === 0 ? name : (other?.name ?? second);
    agents.push({
      variant: variant ?? null,
      name: shown,
      app: appOfAgent(studio.apps, agent.file)?.name ?? null,
      ...(await howToContinue(studio, source, agent, prepared)),
    });
  }
  return { source, prepared, agents, unscored, variants: Object.keys(project.config.settings.variants ?? {}) };
}

/** Leases the agent of a run as the studio's runs do, or loads it into this process. */
export async function leased(
  studio: Pick<Studio, 'agents'>,
  found: FoundAgent,
  prepared: PreparedRun,
): Promise<AgentLease> {
  const lease = await studio.agents.leaseForRun(found, prepared);
  return lease ?? { agent: await found.load(), files: () => new Map(), release: () => undefined };
}

async function howToContinue(
  studio: Studio,
  source: SourceTurn,
  found: FoundAgent,
  prepared: PreparedRun,
): Promise<Pick<TurnRunAgent, 'resent' | 'why'>> {
  if (source.turn === 0) return { resent: 0, why: null };
  const { agent, release } = await leased(studio, found, prepared);
  release();
  if (continues(agent, source)) return { resent: 0, why: null };
  return { resent: source.turn, why: whyResent(agent, source) };
}

function whyResent({ name, supportsHistory }: Agent, { unknown }: SourceTurn): string {
  if (supportsHistory === true && unknown !== null) return unknown;
  return `The agent "${name}" takes no history, so each conversation is started over.`;
}

/** The agent that gave the original answer. */
async function ownAgent({ prepared, variant, app }: SourceTurn, project: Project): Promise<FoundAgent> {
  if (prepared === null) return foundAgent(project, app);
  const own = prepared.agents.find((one) => one.variant === variant) ?? prepared.agents[0];
  if (own === undefined || own.agent === null) throw refusal(400, 'This run has no agent.');
  return own.agent;
}

async function foundAgent(project: Project, { name, agent }: App, agentName?: string): Promise<FoundAgent> {
  if (agent === null) throw refusal(400, `App \`${name}\` has eval sets, but no agent that can be run here.`);
  return found(project, agent, agentName);
}

async function found(project: Project, path: string, agentName: string | undefined): Promise<FoundAgent> {
  const registry = createRegistry(project.config.plugins.filter((plugin) => plugin.kind === 'agent-adapter'));
  return { file: await findAgent(path), agentName, load: () => loadAgent(path, registry, { agentName }) };
}

/** Finds the agent to run beside: of an app of this studio, or a variant in the project's config, but never a path. */
async function besideAgent(
  studio: Studio,
  project: Project,
  beside: BesideAgent,
): Promise<{ readonly name: string; readonly agent: FoundAgent }> {
  if ('variant' in beside) {
    const { [beside.variant]: text } = project.config.settings.variants ?? {};
    if (text === undefined) throw mistake(['body', 'beside'], `The config has no variant "${beside.variant}".`);
    const { path, agentName } = await splitAgent(text);
    return { name: beside.variant, agent: await found(project, path, agentName) };
  }
  const { app: name, agentName } = beside;
  const app = studio.apps.find((one) => one.name === name);
  if (app === undefined || app.agent === null) throw mistake(['body', 'beside'], `There is no agent "${name}" here.`);
  const own = await projectOf(studio, app);
  return {
    name: agentName === undefined ? name : `${name}#${agentName}`,
    agent: await foundAgent(own, app, agentName),
  };
}

/** Makes two names of variants that the runner accepts. */
function variantNames(first: string, second: string | undefined): readonly [string, string] {
  const valid = (name: string): string =>
    name
      .replace(/[^\w.-]/g, '-')
      .replace(/^[^a-zA-Z0-9]+/, '')
      .slice(0, 60) || 'agent';
  const [one, other] = [valid(first), valid(second ?? 'other')];
  return [one, one.toLowerCase() === other.toLowerCase() ? `${other}-2` : other];
}

/** Plans the turn with the criteria of its case. If they cannot judge a single turn, it is run without them. */
async function planTurn(
  { evalCase, setId, prepared, app }: SourceTurn,
  { builtIn, config, environment }: Project,
): Promise<{ readonly set: PreparedSet; readonly judged: boolean; readonly unscored: string | null }> {
  const options = {
    evalSet: { evalSetId: setId, evalCases: [evalCase] },
    config: prepared?.sets[0]?.configFile ?? undefined,
    project: config,
    registry: builtIn && createRegistry(builtIn.plugins),
    providers: builtIn?.providers,
    environment: environment.variables,
    folder: app.folder,
  };
  // Agent adapters may come from the config beside the file.
  const file = prepared?.sets[0]?.file ?? null;
  const bare = async () => ({ ...(await loadPlan({ ...options, only: 'inferences' })), file });
  if (prepared === null) return { set: await bare(), judged: false, unscored: null };
  if (!prepared.judged) return { set: await bare(), judged: false, unscored: 'The run was not judged.' };
  try {
    return { set: { ...(await loadPlan(options)), file }, judged: true, unscored: null };
  } catch (error) {
    if (!CriteriaError.is(error)) throw error;
    return {
      set: await bare(),
      judged: false,
      unscored: `The criteria cannot judge this turn alone: ${error.message}`,
    };
  }
}
