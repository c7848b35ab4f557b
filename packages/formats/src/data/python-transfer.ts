import type { FunctionCall } from './model.ts';

/**
 * Renames the argument `agentName` of `transfer_to_agent`, which ADK for TypeScript uses, to `agent_name`, which ADK
 * for Python uses. Returns any other call, and a call with both arguments, unchanged.
 */
export function pythonTransfer(call: FunctionCall): FunctionCall {
  const { name, args } = call;
  if (name !== 'transfer_to_agent' || !args) return call;
  if (!Object.hasOwn(args, 'agentName') || Object.hasOwn(args, 'agent_name')) return call;
  const entries = Object.entries(args).map(([key, value]) => [key === 'agentName' ? 'agent_name' : key, value]);
  return { ...call, args: Object.fromEntries(entries) };
}
