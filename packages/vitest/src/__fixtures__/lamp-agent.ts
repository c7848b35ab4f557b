import { appendFileSync } from 'node:fs';
import { type AgentFunction, defineCriterion, noOptions, type UserSimulator } from '@agent-criteria/core';

/** Appends a line to the file of notes, if there is one. */
export function note(what: string): void {
  const { LAMP_NOTES } = process.env;
  if (LAMP_NOTES !== undefined) appendFileSync(LAMP_NOTES, `${what}\n`);
}

/** An agent that switches the lamp on, whatever the message says, so that a case that wants it off fails. */
export const lampAgent: AgentFunction = (message, { key }) => {
  note(key.caseId);
  if (message.includes('break')) throw new Error('the lamp is broken');
  return { text: 'The lamp is on.', toolCalls: [{ name: 'switch', args: { device: 'lamp', on: true } }] };
};

export default lampAgent;

const origin = { package: 'test', version: '1.0.0' };

/** A simulated user who is never satisfied and is cut off after one message. */
export const endless: UserSimulator = {
  kind: 'user-simulator',
  specVersion: 1,
  name: 'endless',
  origin,
  options: noOptions,
  open: ({ scenario }) => ({
    next: async ({ length }) =>
      length === 0
        ? { message: { role: 'user', parts: [{ text: scenario.startingPrompt }] } }
        : { ending: { by: 'turn-limit', reason: 'one is enough' } },
  }),
};

export const anything = defineCriterion({
  name: 'anything',
  origin,
  description: 'Anything will do.',
  decides: true,
  range: { min: 0, max: 1, better: 'higher' },
  options: noOptions,
  scope: 'turn',
  evaluate: () => ({ value: 1 }),
});
