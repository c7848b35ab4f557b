import type { Agent, AgentFunction } from '@agent-criteria/core';
import { defaultRegistry, type Registry } from '@agent-criteria/core/host';
import { agentFromValue } from './agent-from-value.ts';

/** An agent under test as a value: a function, an object with `open`, or what a registered adapter makes an agent of. */
export type AgentInput = AgentFunction | Agent | AdkAgent;

/** As much of an agent, or of an App around one, of `@google/adk` as tells it from other objects. */
export type AdkAgent = { readonly runAsync: unknown; readonly name: string } | { readonly rootAgent: object };

/**
 * The agent behind a value: as it is, or by a registered adapter.
 * @throws CriteriaError AGENT_NOT_FOUND naming what it found instead.
 */
export function toAgent(value: unknown, registry: Registry = defaultRegistry()): Agent {
  const isAgent = typeof value === 'function' || (typeof value === 'object' && value !== null && 'open' in value);
  const adapter = isAgent ? undefined : registry.list('agent-adapter').find((one) => one.accepts(value));
  return adapter?.adapt(value, '') ?? agentFromValue(value);
}
