import { sha256 } from '@agent-criteria/calls';
import type { EvalCase, Unit, UnitKey } from '@agent-criteria/core';
import { stringifyJson } from '@agent-criteria/formats';
import { historyLength } from '@agent-criteria/formats/parse';

export function keyOf({ setId, case: evalCase, repeat, variant }: Unit): UnitKey {
  const key = { setId, caseId: evalCase.evalId, repeat };
  return variant === undefined ? key : { ...key, variant };
}

/** The keys of a case's environment besides its stubs, in both spellings. */
const ENVIRONMENT = [
  ['simulationModel', 'simulation_model'],
  ['simulationModelConfiguration', 'simulation_model_configuration'],
  ['environmentData', 'environment_data'],
  ['tracing'],
  ['unlistedTools', 'unlisted_tools'],
] as const;

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/**
 * Hashes a case's input to the agent. An inference is valid for every case with the same hash, so it can be scored
 * against new references or rubrics.
 */
export function seenHash(evalCase: EvalCase): string {
  const { conversation, conversationScenario, sessionInput, agentCriteria } = evalCase;
  const messages = conversation?.map((turn) => turn.userContent);
  const stubs = agentCriteria?.toolSimulationConfigs ?? agentCriteria?.tool_simulation_configs;
  const environment = ENVIRONMENT.map((names) => names.map((name) => agentCriteria?.[name]).find(isSet) ?? null);
  const seen: unknown[] = [messages ?? null, conversationScenario ?? null, sessionInput ?? null];
  if (stubs !== undefined) seen.push(stubs);
  if (environment.some(isSet)) seen.push({ environment });
  const history = conversation?.slice(0, historyLength(evalCase)) ?? [];
  // The answers in earlier turns are input too.
  if (history.length > 0) seen.push({ history });
  return sha256(stringifyJson(seen)).slice(0, 32);
}

/** Serialises a key for use in maps, without collisions. Avoids JSON, because this runs many times per unit. */
export function keyText(key: UnitKey): string {
  return `${key.repeat} ${caseText(key)}`;
}

/** Serialises the part of a key that all repeats of a case share. */
export function caseText({ setId, caseId, variant }: Omit<UnitKey, 'repeat'>): string {
  // Including the lengths prevents collisions.
  const text = `${setId.length} ${caseId.length} ${setId}${caseId}`;
  return variant === undefined ? text : `${text} ${variant}`;
}
