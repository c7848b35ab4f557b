import type { ConversationScenario, EvalCase, SessionInput, State } from '@agent-criteria/core';
import { addCases, type EvalSetFile } from './eval-set-file.ts';
import { scenarioId } from './scenario-id.ts';

/** A scenario that becomes a case, with its keys of agent-criteria, such as tags. */
export interface ScenarioOfCase {
  readonly scenario: ConversationScenario;
  readonly agentCriteria?: State | undefined;
}

export interface AddedScenarioCases {
  readonly added: readonly EvalCase[];
  /** The ids of scenarios that the set already has. */
  readonly skipped: readonly string[];
}

/**
 * Adds scenarios to an eval set, each as a case with the id that ADK would give it, and writes the set.
 * @throws CriteriaError as `addCases` does.
 */
export async function addScenarioCases(
  set: EvalSetFile,
  scenarios: readonly ScenarioOfCase[],
  sessionInput: SessionInput,
): Promise<AddedScenarioCases> {
  const taken = new Set(set.value.evalCases.map(({ evalId }) => evalId));
  const added: EvalCase[] = [];
  const skipped: string[] = [];
  for (const { scenario, agentCriteria } of scenarios) {
    const evalId = scenarioId(scenario);
    if (taken.has(evalId)) skipped.push(evalId);
    else {
      const creationTimestamp = Date.now() / 1000;
      const more = agentCriteria === undefined ? {} : { agentCriteria };
      added.push({ evalId, conversationScenario: scenario, sessionInput, creationTimestamp, ...more });
    }
    taken.add(evalId);
  }
  await addCases(set, added);
  return { added, skipped };
}
