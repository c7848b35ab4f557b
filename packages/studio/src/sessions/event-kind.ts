import { fieldOf } from '@agent-criteria/formats/schema';
import type { AdkEvent } from './chat-session.ts';

/** A message of the user. What changed the state between two turns is the user's too, and says nothing. */
export function isMessage(event: AdkEvent): boolean {
  const parts = fieldOf(event.content, 'parts');
  return event.author === 'user' && Array.isArray(parts) && parts.length > 0;
}

export function isStateChange(event: AdkEvent): boolean {
  return event.author === 'user' && !isMessage(event);
}

/** Why a turn that a person stopped has no answer. */
export const STOPPED = 'STOPPED';
