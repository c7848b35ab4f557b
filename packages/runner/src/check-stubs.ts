import {
  type Agent,
  type AgentDescription,
  CriteriaError,
  didYouMean,
  type Problem,
  toErrorInfo,
} from '@agent-criteria/core';
import type { Plan } from '@agent-criteria/core/host';

/**
 * Refuses to run stubbed cases where the agent's real tools would be called, unnoticed: with an agent that does not know
 * of stubs, and with stubs of tools that it does not have.
 *
 * @throws CriteriaError INVALID_CONFIG with all mistakes, each once.
 */
export async function checkStubs(plans: readonly Plan[], agent: Agent, signal?: AbortSignal): Promise<void> {
  const stubbed = plans.filter(({ stubs }) => stubs.size > 0);
  if (stubbed.length === 0) return;
  const description = agent.supportsStubs === true ? await descriptionOf(agent, signal) : null;
  const names = description === null ? null : toolNames(description);
  const ofModel = description === null ? [] : agentsIn(description).flatMap(({ modelTools = [] }) => modelTools);
  const problems = stubbed.flatMap((plan) =>
    agent.supportsStubs === true
      ? [...strangers(plan, agent, names), ...outOfReach(plan, agent, ofModel)]
      : [refusal(plan, agent)],
  );
  if (problems.length > 0) throw new CriteriaError(problems);
}

function refusal({ stubs, evalSet }: Plan, agent: Agent): Problem {
  const [caseId, [stub] = []] = [...stubs][0] ?? [];
  const message =
    `the case "${caseId}" of "${evalSet.evalSetId}" stubs the tool "${stub?.toolName}", but the agent "${agent.name}" ` +
    'does not support stubs, so its real tools would be called: agents of @google/adk support them, and any agent with supportsStubs; ' +
    'or remove tool_simulation_configs';
  return { code: 'INVALID_CONFIG', message };
}

/** Stubs of tools that nobody has. */
function strangers({ stubs, evalSet }: Plan, agent: Agent, names: ReadonlySet<string> | null): readonly Problem[] {
  if (names === null) return [];
  return firstCases(stubs, (toolName) => !names.has(toolName)).map(([toolName, caseId]) => {
    const list = names.size === 0 ? 'it has none' : `it has ${[...names].slice(0, 50).join(', ')}`;
    const message =
      `the case "${caseId}" of "${evalSet.evalSetId}" stubs the tool "${toolName}", which the agent "${agent.name}" does not ` +
      `have${didYouMean(toolName, names)} (${list})`;
    return { code: 'INVALID_CONFIG', message };
  });
}

/** Stubs of tools that the model's service works: they would be passed over. */
function outOfReach({ stubs, evalSet }: Plan, agent: Agent, ofModel: readonly string[]): readonly Problem[] {
  return firstCases(stubs, (toolName) => ofModel.includes(toolName)).map(([toolName, caseId]) => {
    const message =
      `the case "${caseId}" of "${evalSet.evalSetId}" stubs the tool "${toolName}" of the agent "${agent.name}", which the model's ` +
      'own service runs: no stub can replace it; remove the stub, or give the agent its own tool instead';
    return { code: 'INVALID_CONFIG', message };
  });
}

/** The stubbed tools of a kind, each with the first case that stubs it. */
function firstCases(
  stubs: Plan['stubs'],
  isOfKind: (toolName: string) => boolean,
): readonly (readonly [toolName: string, caseId: string])[] {
  const cases = new Map<string, string>();
  for (const [caseId, configs] of stubs) {
    for (const { toolName } of configs) if (isOfKind(toolName) && !cases.has(toolName)) cases.set(toolName, caseId);
  }
  return [...cases];
}

/** @throws CriteriaError AGENT_FAILED when the agent cannot even be made. */
async function descriptionOf(agent: Agent, signal?: AbortSignal): Promise<AgentDescription | null> {
  try {
    return (await agent.describe?.(signal)) ?? null;
  } catch (cause) {
    signal?.throwIfAborted();
    if (CriteriaError.is(cause)) throw cause;
    const message =
      `the tools of the agent "${agent.name}" cannot be listed, so its stubs cannot be checked: ` +
      toErrorInfo(cause).message;
    throw new CriteriaError({ code: 'AGENT_FAILED', message }, { cause });
  }
}

/** The tools of an agent and of those below it; `null` where not all of them can be told. */
function toolNames(description: AgentDescription): ReadonlySet<string> | null {
  const agents = agentsIn(description);
  const names = new Set<string>();
  for (const { tools = [], toolsMissing } of agents) {
    if (toolsMissing !== undefined) return null;
    for (const { name } of tools) if (typeof name === 'string') names.add(name);
  }
  // ADK adds it to whoever has somebody to transfer to.
  if (agents.length > 1) names.add('transfer_to_agent');
  return names;
}

/** An agent and all below it. */
function agentsIn(description: AgentDescription): readonly AgentDescription[] {
  const found = [description];
  for (const { agents = [] } of found) found.push(...agents);
  return found;
}
