// What the tests share: an evaluation with our criteria, in a registry of its own, and a judge that follows a script.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Criterion } from '@agent-criteria/core';
import { createRegistry, type Registry, type TurnResult } from '@agent-criteria/core/host';
import * as checks from '@agent-criteria/criteria-checks/pure';
import * as efficiency from '@agent-criteria/criteria-efficiency/pure';
import { hallucinations } from '@agent-criteria/criteria-hallucination/pure';
import * as judged from '@agent-criteria/criteria-llm-judge/pure';
import { responseMatch } from '@agent-criteria/criteria-rouge/pure';
import { safety } from '@agent-criteria/criteria-safety/pure';
import { toolParameterMatch, toolTrajectory } from '@agent-criteria/criteria-trajectory/pure';
import * as vertex from '@agent-criteria/criteria-vertex/pure';
import { gemini } from '@agent-criteria/model-gemini/pure';
import { type EvaluateOptions, evaluate } from '@agent-criteria/project';
import type { Evaluation } from '@agent-criteria/runner';
import { llmBackedUserSimulator, perTurnUserSimulatorQuality } from '@agent-criteria/user-simulator/pure';
import { rootAgent } from './agent.ts';
import { judgedBy, type Opinion } from './scripted-judge.ts';

/** A file of this folder. */
export function here(path: string): string {
  const file = fileURLToPath(new URL(path, import.meta.url));
  if (!existsSync(file)) throw new Error(`there is no ${file}`);
  return file;
}

/** Evaluates the agent of this folder; where a criterion asks for an opinion, `opinion` gives it. */
export async function walk(
  evalSet: string,
  config?: EvaluateOptions['config'],
  opinion: Opinion = () => true,
): Promise<Evaluation> {
  return evaluate({
    agent: rootAgent,
    evalSet: here(evalSet),
    config: typeof config === 'string' ? here(config) : config,
    registry: registryOf(isOfEfficiency(config) ? Object.values(efficiency) : []),
    policies: judgedBy(opinion),
    environment: KEYS,
  });
}

/** They would add their numbers to every other walk. */
function isOfEfficiency(config: unknown): boolean {
  return typeof config === 'string' && /(count|usage|duration)_v1/.test(config);
}

/** Nobody calls with them. */
export const KEYS = { GEMINI_API_KEY: 'none', GOOGLE_API_KEY: 'none' };

/** All our criteria, less those that are measured in every run, Gemini, and the simulated user; and what is given. */
export function registryOf(more: readonly Criterion[] = []): Registry {
  const { finalResponseMatch, finalResponseQuality, toolUseQuality, rubricBasedMultiTurnTrajectoryQuality } = judged;
  return createRegistry([
    ...[toolTrajectory, toolParameterMatch, responseMatch, hallucinations, safety, gemini],
    ...Object.values(checks),
    ...more,
    ...[finalResponseMatch, finalResponseQuality, toolUseQuality, rubricBasedMultiTurnTrajectoryQuality],
    ...[vertex.multiTurnTaskSuccess, vertex.multiTurnTrajectoryQuality, vertex.multiTurnToolUseQuality],
    ...[vertex.responseEvaluation, llmBackedUserSimulator, perTurnUserSimulatorQuality],
  ]);
}

/** Score and verdict of the first criterion, by case. */
export function outcome({ cases }: Evaluation): Record<string, string> {
  return Object.fromEntries(
    cases.map(({ caseId, criteria: [first] }) => [caseId, `${first?.score} ${first?.verdict}`]),
  );
}

/** The scores that the parts of a turn got, by id. */
export function partsOf(turn: TurnResult | undefined): Record<string, number | null> {
  const parts = turn !== undefined && 'parts' in turn.score ? turn.score.parts : [];
  return Object.fromEntries(parts.map((part) => [part.id, 'value' in part ? part.value : null]));
}
