import { CriteriaError } from '@agent-criteria/core';

/** Refuses counts and times that are no whole numbers above 0, by the names that the caller knows them by. */
export function checkPositive(settings: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(settings)) {
    if (Number.isInteger(value) && value > 0) continue;
    throw new CriteriaError({ code: 'USAGE', message: `${name} must be a whole number above 0, not ${value}` });
  }
}
