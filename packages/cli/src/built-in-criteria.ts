import type { Criterion, Plugin } from '@agent-criteria/core';
import {
  finalStateChecks,
  maxTurnCost,
  maxTurnSeconds,
  maxTurnTokens,
  pathChecks,
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

/**
 * Criteria bundled with the command: ADK's defaults and the others in their packages, ADK's efficiency metrics, and
 * checks that need no model.
 */
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
  pathChecks,
  finalStateChecks,
  maxTurnSeconds,
  maxTurnTokens,
  maxTurnCost,
];

/**
 * Loads the providers for OpenAI-compatible servers, which are also bundled with the command, once a model is
 * requested.
 */
export async function builtInProviders(): Promise<readonly Plugin[]> {
  const { lmstudio, ollama, openai, openrouter, vllm } = await import('@agent-criteria/models/openai-compatible');
  return [openai, ollama, vllm, lmstudio, openrouter];
}
