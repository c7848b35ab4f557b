import { sha256 } from '@agent-criteria/calls';
import type { EvalCase, Unit, UnitKey } from '@agent-criteria/core';
import { stringifyJson } from '@agent-criteria/formats';
import { historyLength } from '@agent-criteria/formats/parse';

export function keyOf({ setId, case: evalCase, repeat, variant }: Unit): UnitKey {
  const key = { setId, caseId: evalCase.evalId, repeat };
  return variant === undefined ? key : { ...key, variant };
}

/**
 * The hash of all that the agent under test sees of a case: an inference stands for every case with this hash, so that
 * a new reference or rubric still finds it.
 */
export function seenHash(evalCase: EvalCase): string {
  const { conversation, conversationScenario, sessionInput, agentCriteria } = evalCase;
  const messages = conversation?.map((turn) => turn.userContent);
  const stubs = agentCriteria?.toolSimulationConfigs ?? agentCriteria?.tool_simulation_configs;
  const seen: unknown[] = [messages ?? null, conversationScenario ?? null, sessionInput ?? null];
  if (stubs !== undefined) seen.push(stubs);
  const history = conversation?.slice(0, historyLength(evalCase)) ?? [];
  // The agent's answers there are not only expected: the agent is given them.
  if (history.length > 0) seen.push({ history });
  return sha256(stringifyJson(seen)).slice(0, 32);
}

/** A key as a text, for maps: two keys never have the same one. Made many times for each unit, so not as JSON. */
export function keyText(key: UnitKey): string {
  return `${key.repeat} ${caseText(key)}`;
}

/** What the repeats of a case have in common, as a text. */
export function caseText({ setId, caseId, variant }: Omit<UnitKey, 'repeat'>): string {
  // The lengths say where each name ends, whatever is in it.
  const text = `${setId.length} ${caseId.length} ${setId}${caseId}`;
  return variant === undefined ? text : `${text} ${variant}`;
}
