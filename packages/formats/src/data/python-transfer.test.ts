import { expect, it } from 'vitest';
import { pythonTransfer } from './python-transfer.ts';

it('pythonTransfer() renames agentName to agent_name, and keeps the rest', () => {
  const call = { id: '1', name: 'transfer_to_agent', args: { reason: 'x', agentName: 'billing' } };
  expect(pythonTransfer(call)).toEqual({ ...call, args: { reason: 'x', agent_name: 'billing' } });
  expect(call.args).toHaveProperty('agentName');
});

it.each([
  { name: 'transfer_to_agent', args: { agent_name: 'billing' } },
  { name: 'transfer_to_agent', args: { agent_name: 'billing', agentName: 'sales' } },
  { name: 'transfer_to_agent', args: null },
  { name: 'transfer_to_agent' },
  { name: 'book', args: { agentName: 'billing' } },
  {},
])('pythonTransfer() returns %j unchanged', (call) => {
  expect(pythonTransfer(call)).toBe(call);
});
