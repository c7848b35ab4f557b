import { resolve } from 'node:path';
import { type Agent, CriteriaError } from '@agent-criteria/core';
import type { Registry } from '@agent-criteria/core/host';
import { type AgentInput, forEachVariant, isUrl, type LoadedAgent, type RunAgents } from '@agent-criteria/runner';
import { splitAgent } from '../config/variants.ts';
import { adaptAgent, findAgent, loadAgent } from './load-agent.ts';
import { findSubAgent } from './sub-agent.ts';

/** A requested agent, with its variant name if it has one. */
export interface AskedAgent {
  readonly variant: string | undefined;
  /** The path of its module or folder, its URL, or an agent. */
  readonly from: string | object;
  /** The name of the agent to choose among those in the module, or below the given agent. */
  readonly agentName: string | undefined;
}

/** A single agent, or several by name. */
export type AgentOrVariants =
  | AgentSource
  | object
  | readonly { readonly variant: string; readonly agent: AgentSource | object }[];

/** Reads the requested agents. A variant's path may end in `#EXPORT`, as in the command. */
export async function askedAgents(asked: AgentOrVariants, agentName?: string): Promise<readonly AskedAgent[]> {
  if (!isList(asked)) return [{ variant: undefined, from: asked, agentName }];
  const agents: AskedAgent[] = [];
  await forEachVariant(asked, async ({ variant, agent }) => {
    if (typeof agent !== 'string') return void agents.push({ variant, from: agent, agentName: undefined });
    const { path, agentName: own } = await splitAgent(agent);
    // The module of a previous agent may change the working folder.
    agents.push({ variant, from: isUrl(path) ? path : resolve(path), agentName: own });
  });
  return agents;
}

function isList(asked: AgentOrVariants): asked is Extract<AgentOrVariants, readonly unknown[]> {
  return Array.isArray(asked);
}

/**
 * Checks that agents exist, without importing anything. @throws CriteriaError AGENT_NOT_FOUND for each path that leads
 * to no agent.
 */
export async function findAgents(agents: readonly AskedAgent[]): Promise<void> {
  await forEachVariant(agents, async ({ from }) => {
    if (typeof from === 'string') await findAgent(from);
  });
}

/** Adapts agents given as values. @throws CriteriaError AGENT_NOT_FOUND for a value that cannot be an agent. */
export async function adaptAgents(
  agents: readonly AskedAgent[],
  registry: Registry | undefined,
): Promise<readonly AskedAgent[]> {
  const adapted: AskedAgent[] = [];
  await forEachVariant(agents, async (one) => {
    if (typeof one.from === 'string') return void adapted.push(one);
    const { from, agentName, variant } = one;
    const value = agentName === undefined ? from : findSubAgent([from], agentName);
    adapted.push({ variant, from: await adaptAgent(value, registry), agentName });
  });
  return adapted;
}

/** Agents that are ready to run. */
export interface LoadedAgents {
  /** The agent, or the first of several. */
  readonly first: Agent;
  /** The path of the agent, or else the name of the first. */
  readonly name: string;
  /** The agents in the form that the runner takes. */
  readonly options: RunAgents;
}

/** Imports the modules of agents. @throws CriteriaError with the mistakes of all that do not load. */
export async function loadAgents(agents: readonly AskedAgent[], registry: Registry): Promise<LoadedAgents> {
  const loaded: { variant: string | undefined; agent: Agent; from: LoadedAgent }[] = [];
  await forEachVariant(await adaptAgents(agents, registry), async ({ variant, from, agentName }) => {
    const isPath = typeof from === 'string';
    const agent = await (isPath ? loadAgent(from, registry, { agentName }) : adaptAgent(from, registry));
    loaded.push({ variant, agent, from: { agent, agentPath: isPath ? from : undefined, agentName } });
  });
  const [one, ...others] = loaded;
  if (one === undefined) throw new CriteriaError({ code: 'INTERNAL', message: 'there is no agent' });
  const { variant, agent, from } = one;
  if (variant === undefined) return { first: agent, name: from.agentPath ?? agent.name, options: { agent: from } };
  const variants = Object.fromEntries([one, ...others].map((each) => [each.variant ?? '', each.from]));
  return { first: agent, name: agent.name, options: { variants } };
}

/** Lists the paths and URLs of agents that were not given as values. */
export function agentPaths({ agent, variants = {} }: RunAgents): readonly string[] {
  const all = agent === undefined ? Object.values(variants) : [agent];
  return all.flatMap((one) => ('agentPath' in one && typeof one.agentPath === 'string' ? [one.agentPath] : []));
}

/** An agent given as a value, the path of a module or folder that exports one, or the URL of a server. */
export type AgentSource = AgentInput | string;
