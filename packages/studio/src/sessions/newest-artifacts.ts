import { isObject } from '@agent-criteria/formats';

/** The newest version of each artifact that a conversation made, as its events tell. */
export function newestArtifacts(events: readonly Readonly<Record<string, unknown>>[]): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>();
  for (const { actions } of events) {
    const delta = isObject(actions) ? actions.artifactDelta : undefined;
    if (isObject(delta)) for (const [name, version] of Object.entries(delta)) found.set(name, version);
  }
  return found;
}
