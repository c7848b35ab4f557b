import type { Content, Part } from '@agent-criteria/core';
import type { AdkEvent } from '../adk-shapes.ts';

/** Creates an event of the agent `desk` with these parts. */
export function event(parts: readonly Part[], more: Partial<AdkEvent> = {}): AdkEvent {
  return { invocationId: 'e-1', author: 'desk', content: { role: 'model', parts: [...parts] }, ...more };
}

export const question: Content = { role: 'user', parts: [{ text: 'Open door 3' }] };
export const call: Part = { functionCall: { id: '1', name: 'open_door', args: { number: 3 } } };
export const response: Part = { functionResponse: { id: '1', name: 'open_door', response: { open: true } } };
