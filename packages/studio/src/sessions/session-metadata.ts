import type { State } from '@agent-criteria/core';

/** What ADK's own client keeps in a session, as the name that its list shows. */
export function isMetadata(name: string): boolean {
  return name.startsWith('__session_metadata__');
}

export function withoutMetadata(state: State): State {
  return Object.fromEntries(Object.entries(state).filter(([name]) => !isMetadata(name)));
}
