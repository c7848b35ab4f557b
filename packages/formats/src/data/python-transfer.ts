import type { FunctionCall } from './model.ts';

/**
 * A tool call, a transfer to another agent as ADK for Python writes it: ADK for TypeScript calls the argument of
 * `transfer_to_agent` `agentName`, and Python `agent_name`. Any other call, and one with both, is given back as it is.
 */
export function pythonTransfer(call: FunctionCall): FunctionCall {
  const { name, args } = call;
  if (name !== 'transfer_to_agent' || !args) return call;
  if (!Object.hasOwn(args, 'agentName') || Object.hasOwn(args, 'agent_name')) return call;
  const entries = Object.entries(args).map(([key, value]) => [key === 'agentName' ? 'agent_name' : key, value]);
  return { ...call, args: Object.fromEntries(entries) };
}
