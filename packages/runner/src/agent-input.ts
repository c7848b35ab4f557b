import type { Agent, AgentFunction } from '@agent-criteria/core';
import { agentFromValue } from './agent-from-value.ts';

/**
 * An agent under test: a function, an object with `open`, an agent or App of `@google/adk`, the path of a module or folder
 * that exports one of them, or the URL of a server.
 */
export type AgentInput = AgentFunction | Agent | AdkAgent | string;

/** As much of an agent, or of an App around one, of `@google/adk` as tells it from other objects. */
export type AdkAgent = { readonly runAsync: unknown; readonly name: string } | { readonly rootAgent: object };

/**
 * The agent behind an input. A path is loaded with `@agent-criteria/runner/load`, relative to the working folder; what is
 * no agent by itself goes to the registered adapters, and to ours where they are installed.
 */
export async function toAgent(input: AgentInput): Promise<Agent> {
  if (typeof input === 'function' || (typeof input === 'object' && input !== null && 'open' in input)) {
    return agentFromValue(input);
  }
  const { adaptAgent, loadAgent } = await import('./load/load-agent.ts');
  return typeof input === 'string' ? loadAgent(input) : adaptAgent(input);
}
