import { type Agent, CriteriaError } from '@agent-criteria/core';

/**
 * Asks an agent what would break every session alike. After an abort it says nothing: whoever runs it tells that.
 * @throws CriteriaError with all of it.
 */
export async function checkAgent(agent: Agent, signal?: AbortSignal): Promise<void> {
  if (agent.check === undefined || signal?.aborted) return;
  try {
    const problems = await agent.check(signal);
    if (problems.length > 0) throw new CriteriaError(problems);
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
}
