import type { Criterion, Plugin } from '@agent-criteria/core';
import { responseMatch } from '@agent-criteria/criteria-rouge/pure';
import { toolParameterMatch, toolTrajectory } from '@agent-criteria/criteria-trajectory/pure';

/** ADK's default criteria come with the command, and the others of their packages. */
export const builtInCriteria: readonly Criterion[] = [toolTrajectory, responseMatch, toolParameterMatch];

/** Models of OpenAI-compatible servers do too; they are loaded when a model is asked for. */
export async function builtInProviders(): Promise<readonly Plugin[]> {
  const { lmstudio, ollama, openai, openrouter, vllm } = await import('@agent-criteria/models/openai-compatible');
  return [openai, ollama, vllm, lmstudio, openrouter];
}
