import { CriteriaError, type Problem } from '@agent-criteria/core';
import type { Plan } from '@agent-criteria/core/host';
import { fileNames } from '@agent-criteria/formats';
import { forEachVariant, type ReadyAgent } from './agents.ts';

/**
 * Rejects cases whose messages have files that an agent would never see.
 * @throws CriteriaError INVALID_CONFIG listing the first such file of each set.
 */
export function checkFiles(plans: readonly Plan[], agents: readonly ReadyAgent[]): Promise<void> {
  return forEachVariant(agents, async ({ agent }) => {
    if (agent.supportsFiles === true) return;
    const problems = plans.flatMap((plan) => firstFile(plan, agent.name));
    if (problems.length > 0) throw new CriteriaError(problems);
  });
}

function firstFile({ evalSet: { evalSetId, evalCases } }: Plan, agent: string): readonly Problem[] {
  for (const { evalId, conversation } of evalCases) {
    for (const [turn, { userContent }] of (conversation ?? []).entries()) {
      const [file] = fileNames(userContent);
      if (file === undefined) continue;
      const message =
        `turn ${turn + 1} of the case "${evalId}" of "${evalSetId}" has the file "${file}", but the agent "${agent}" ` +
        'takes only text, so it would never see it: an agent that takes files says so with supportsFiles: true (a function ' +
        'has it as a property, and reads the files from session.content); or remove the file';
      return [{ code: 'INVALID_CONFIG', message }];
    }
  }
  return [];
}
