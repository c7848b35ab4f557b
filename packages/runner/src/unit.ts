import { hash } from 'node:crypto';
import type { EvalCase, Unit, UnitKey } from '@agent-criteria/core';
import { stringifyJson } from '@agent-criteria/core/host';

export function keyOf(unit: Unit): UnitKey {
  return { setId: unit.setId, caseId: unit.case.evalId, repeat: unit.repeat };
}

/** A key as a text, for maps. */
export function keyText(key: UnitKey): string {
  return stringifyJson([key.setId, key.caseId, key.repeat]);
}

/**
 * The hash of all that the agent under test sees of a case: an inference stands for every case with this hash, so that
 * a new reference or rubric still finds it.
 */
export function seenHash(evalCase: EvalCase): string {
  const { conversation, conversationScenario, sessionInput, agentCriteria } = evalCase;
  const messages = conversation?.map((turn) => turn.userContent);
  const stubs = agentCriteria?.toolSimulationConfigs ?? agentCriteria?.tool_simulation_configs;
  const seen = stringifyJson([
    ...[messages ?? null, conversationScenario ?? null, sessionInput ?? null],
    ...(stubs === undefined ? [] : [stubs]),
  ]);
  return hash('sha256', seen).slice(0, 32);
}
