import type { Agent, AgentFunction } from '@agent-criteria/core';
import { CriteriaError } from '@agent-criteria/core';
import { agentFromFunction } from './agent-from-function.ts';

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

/**
 * The agent that a value is: a function or an object with `open`.
 * @throws CriteriaError naming what it found instead.
 */
export function agentFromValue(value: unknown, name?: string): Agent {
  if (typeof value === 'function') {
    if (/^class\b/.test(Function.prototype.toString.call(value))) {
      const message = 'a class is no agent: export an instance of it that has an open method, or a function';
      throw new CriteriaError({ code: 'AGENT_NOT_FOUND', message });
    }
    return agentFromFunction(value as AgentFunction, name);
  }
  if (typeof value === 'object' && value !== null && 'open' in value && typeof value.open === 'function')
    return value as Agent;
  const found = value === null ? 'null' : `a value of type ${typeof value}`;
  throw new CriteriaError({
    code: 'AGENT_NOT_FOUND',
    message: `${found} is no agent: give an async function (message, session) => answer, or an object with an open method`,
  });
}
