import { CriteriaError } from '@agent-criteria/core';

/** @throws CriteriaError USAGE for an id that ADK does not take for a new set. */
export function checkSetId(id: string): void {
  if (/^[a-zA-Z0-9_]+$/.test(id)) return;
  const message = `"${id}" is not a valid eval set id: use only letters, digits and underscores, as in ADK`;
  throw new CriteriaError({ code: 'USAGE', message });
}
