import { type Agent, CriteriaError, type Plan } from '@agent-criteria/core';

/**
 * Refuses to run stubbed cases with an agent that does not know of stubs: its real tools would be called, unnoticed.
 * @throws CriteriaError INVALID_CONFIG for each set with such cases.
 */
export function checkStubs(plans: readonly Plan[], agent: Agent): void {
  if (agent.takesStubs === true) return;
  const problems = plans.flatMap(({ stubs, evalSet }) => {
    const [caseId] = stubs.keys();
    if (caseId === undefined) return [];
    const [stub] = stubs.get(caseId) ?? [];
    const message =
      `the case "${caseId}" of "${evalSet.evalSetId}" stubs the tool "${stub?.toolName}", but the agent "${agent.name}" ` +
      'takes no stubs, so its real tools would be called: agents of @google/adk take them, and any agent with takesStubs; ' +
      'or remove tool_simulation_configs';
    return [{ code: 'INVALID_CONFIG' as const, message }];
  });
  if (problems.length > 0) throw new CriteriaError(problems);
}
