import { appendFileSync } from 'node:fs';
import type { AgentFunction } from '@agent-criteria/core';

/** Says in a file that it runs, and on which case. */
export function note(what: string): void {
  const { LAMP_NOTES } = process.env;
  if (LAMP_NOTES !== undefined) appendFileSync(LAMP_NOTES, `${what}\n`);
}

/** Switches a lamp, on whatever is asked: a case that wants it off fails. */
export const lampAgent: AgentFunction = (message, { key }) => {
  note(key.caseId);
  if (message.includes('break')) throw new Error('the lamp is broken');
  return { text: 'The lamp is on.', toolCalls: [{ name: 'switch', args: { device: 'lamp', on: true } }] };
};

export default lampAgent;
