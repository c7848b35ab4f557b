import { type Agent, type AgentFunction, CriteriaError } from '@agent-criteria/core';
import { agentFromFunction } from './agent-from-function.ts';

/**
 * The agent that a value is: a function or an object with `open`.
 * @throws CriteriaError naming what it found instead.
 */
export function agentFromValue(value: unknown, name?: string): Agent {
  if (typeof value === 'function') {
    if (/^class\b/.test(Function.prototype.toString.call(value))) {
      const message = 'a class is not an agent: export an instance of it that has an open method, or a function';
      throw new CriteriaError({ code: 'AGENT_NOT_FOUND', message });
    }
    return agentFromFunction(value as AgentFunction, name);
  }
  if (typeof value === 'object' && value !== null && 'open' in value && typeof value.open === 'function')
    return value as Agent;
  const found = value === null ? 'null' : `a value of type ${typeof value}`;
  throw new CriteriaError({
    code: 'AGENT_NOT_FOUND',
    message: `${found} is not an agent: use an async function (message, session) => answer, an object with an open method, or register the adapter of its framework`,
  });
}
