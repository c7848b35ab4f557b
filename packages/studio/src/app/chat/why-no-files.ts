import type { AgentDetail } from '../../api.ts';
import { takesOnlyText } from '../../sessions/message-files.ts';
import { ask } from '../api-client.ts';

/**
 * Asks whether the agent of an app takes files, because its code may have changed.
 * @param on Receives the agent.
 * @returns Why it does not, or `null`. An agent that does not answer now is asked again when the message is sent.
 */
export async function whyNoFiles(app: string, on?: (agent: AgentDetail) => void): Promise<string | null> {
  try {
    const agent = await ask('GET /apps/:app/agent', { app });
    on?.(agent);
    return agent.supportsFiles ? null : takesOnlyText(agent.name);
  } catch {
    return null;
  }
}
