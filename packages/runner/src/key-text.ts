import type { UnitKey } from '@agent-criteria/core';

/** A key as a text, for maps: two keys never have the same one. Made many times for each unit, so not as JSON. */
export function keyText(key: UnitKey): string {
  return `${key.repeat} ${caseText(key)}`;
}

/** What the repeats of a case have in common, as a text. */
export function caseText({ setId, caseId, variant }: Omit<UnitKey, 'repeat'>): string {
  // The lengths say where each name ends, whatever is in it.
  const text = `${setId.length} ${caseId.length} ${setId}${caseId}`;
  return variant === undefined ? text : `${text} ${variant}`;
}
