import {
  type Agent,
  type AgentDescription,
  CriteriaError,
  didYouMean,
  type Plan,
  type Problem,
} from '@agent-criteria/core';

/**
 * Refuses to run stubbed cases where the agent's real tools would be called, unnoticed: with an agent that does not know
 * of stubs, and with stubs of tools that it does not have.
 *
 * @throws CriteriaError INVALID_CONFIG with all mistakes, each once.
 */
export async function checkStubs(plans: readonly Plan[], agent: Agent, signal?: AbortSignal): Promise<void> {
  const stubbed = plans.filter(({ stubs }) => stubs.size > 0);
  if (stubbed.length === 0) return;
  const names = agent.takesStubs === true ? toolNames((await agent.describe?.(signal)) ?? null) : null;
  const problems = stubbed.flatMap((plan) =>
    agent.takesStubs === true ? strangers(plan, agent, names) : [refusal(plan, agent)],
  );
  if (problems.length > 0) throw new CriteriaError(problems);
}

function refusal({ stubs, evalSet }: Plan, agent: Agent): Problem {
  const [caseId, [stub] = []] = [...stubs][0] ?? [];
  const message =
    `the case "${caseId}" of "${evalSet.evalSetId}" stubs the tool "${stub?.toolName}", but the agent "${agent.name}" ` +
    'takes no stubs, so its real tools would be called: agents of @google/adk take them, and any agent with takesStubs; ' +
    'or remove tool_simulation_configs';
  return { code: 'INVALID_CONFIG', message };
}

/** Stubs of tools that nobody has. */
function strangers({ stubs, evalSet }: Plan, agent: Agent, names: ReadonlySet<string> | null): readonly Problem[] {
  if (names === null) return [];
  const cases = new Map<string, string>();
  for (const [caseId, configs] of stubs) {
    for (const { toolName } of configs) if (!names.has(toolName) && !cases.has(toolName)) cases.set(toolName, caseId);
  }
  return [...cases].map(([toolName, caseId]) => {
    const list = names.size === 0 ? 'it has none' : `it has ${[...names].slice(0, 50).join(', ')}`;
    const message =
      `the case "${caseId}" of "${evalSet.evalSetId}" stubs the tool "${toolName}", which the agent "${agent.name}" does not ` +
      `have${didYouMean(toolName, names)} (${list})`;
    return { code: 'INVALID_CONFIG', message };
  });
}

/** The tools of an agent and of those below it; `null` where not all of them can be told. */
function toolNames(description: AgentDescription | null): ReadonlySet<string> | null {
  const names = new Set<string>();
  const waiting = description === null ? [] : [description];
  for (const { tools = [], toolsMissing, agents = [] } of waiting) {
    if (toolsMissing !== undefined) return null;
    for (const { name } of tools) if (typeof name === 'string') names.add(name);
    waiting.push(...agents);
  }
  // ADK adds it to whoever has somebody to transfer to.
  if (waiting.length > 1) names.add('transfer_to_agent');
  return description === null ? null : names;
}
