import type { Criterion, Plugin } from '@agent-criteria/core';
import {
  finalStateChecks,
  maxTurnCost,
  maxTurnSeconds,
  maxTurnTokens,
  responseChecks,
  toolChecks,
} from '@agent-criteria/criteria-checks/pure';
import {
  inferenceCallCount,
  invocationDuration,
  tokenUsage,
  toolCallCount,
} from '@agent-criteria/criteria-efficiency/pure';
import { responseMatch } from '@agent-criteria/criteria-rouge/pure';
import { toolParameterMatch, toolTrajectory } from '@agent-criteria/criteria-trajectory/pure';

/** ADK's default criteria come with the command, those of the same packages, what ADK measures in every run, and checks without a model. */
export const builtInCriteria: readonly Criterion[] = [
  toolTrajectory,
  responseMatch,
  toolParameterMatch,
  toolCallCount,
  inferenceCallCount,
  tokenUsage,
  invocationDuration,
  responseChecks,
  toolChecks,
  finalStateChecks,
  maxTurnSeconds,
  maxTurnTokens,
  maxTurnCost,
];

/** Models of OpenAI-compatible servers do too; they are loaded when a model is asked for. */
export async function builtInProviders(): Promise<readonly Plugin[]> {
  const { lmstudio, ollama, openai, openrouter, vllm } = await import('@agent-criteria/models/openai-compatible');
  return [openai, ollama, vllm, lmstudio, openrouter];
}
