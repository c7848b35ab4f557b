import type { FunctionCall } from '@agent-criteria/core';

const TRANSFER = 'transfer_to_agent';

/**
 * ADK for TypeScript spells the argument of a transfer `agentName`, and ADK for Python `agent_name`: the same call, so
 * that a set written for one is right for the other. A call with both keys stays as it is.
 */
export function respellTransfers(calls: readonly FunctionCall[]): readonly FunctionCall[] {
  return calls.some(isCamel) ? calls.map((call) => (isCamel(call) ? respelt(call) : call)) : calls;
}

function isCamel({ name, args }: FunctionCall): boolean {
  return name === TRANSFER && !!args && Object.hasOwn(args, 'agentName') && !Object.hasOwn(args, 'agent_name');
}

function respelt(call: FunctionCall): FunctionCall {
  const entries = Object.entries(call.args ?? {});
  return {
    ...call,
    args: Object.fromEntries(entries.map(([key, value]) => [key === 'agentName' ? 'agent_name' : key, value])),
  };
}
