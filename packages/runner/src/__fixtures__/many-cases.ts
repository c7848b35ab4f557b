import { createRegistry, resolveEvalConfig } from '@agent-criteria/core/host';
import { type EvalSet } from '@agent-criteria/core';
import { evalCase } from '@agent-criteria/core/testing';
import { responseMatch } from '@agent-criteria/criteria-rouge/pure';
import { toolTrajectory } from '@agent-criteria/criteria-trajectory/pure';
import type { PlannedSet } from '../planned-set.ts';

/** Returns 300 cases in two sets, judged by ADK's defaults. */
export function manyCases(): PlannedSet[] {
  const registry = createRegistry([toolTrajectory, responseMatch]);
  return ['first', 'second'].map((evalSetId, set) => {
    const ids = Array.from({ length: set === 0 ? 200 : 100 }, (_, index) => `case ${index}`);
    const evalSet: EvalSet = {
      evalSetId,
      evalCases: ids.map((id) => evalCase(id, [{ user: `I am ${id}`, answer: `I am ${id}`, calls: [] }])),
    };
    return { plan: resolveEvalConfig({ evalSet, config: null, registry }), file: null, configFile: null };
  });
}
