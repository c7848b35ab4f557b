import { isObject } from '@agent-criteria/formats';

/** Roles whose messages are instructions. */
const INSTRUCTIONS = ['system', 'developer'];

/**
 * Returns messages that ask something. Where a prompt is a single message of instructions, these are what the agent was asked,
 * so they become the message of the user.
 */
export function asQuestion(messages: readonly unknown[], lose: (what: string) => void): readonly unknown[] {
  const isInstruction = (message: unknown): boolean => isObject(message) && INSTRUCTIONS.includes(String(message.role));
  if (messages.length === 0 || !messages.every(isInstruction)) return messages;
  lose('prompts of instructions only, which became the message of the user');
  return messages.map((message) => (isObject(message) ? { ...message, role: 'user' } : message));
}
