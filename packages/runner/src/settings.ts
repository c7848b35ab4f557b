import { CriteriaError } from '@agent-criteria/core';

/** Refuses counts and times that are no whole numbers above 0, by the names that the caller knows them by. */
export function checkPositive(settings: Readonly<Record<string, number | undefined>>): void {
  const problems = Object.entries(settings)
    .filter(([, value]) => value !== undefined && !(Number.isInteger(value) && value > 0))
    .map(([name, value]) => ({
      code: 'USAGE' as const,
      message: `${name} must be a whole number above 0, not ${value}`,
    }));
  if (problems.length > 0) throw new CriteriaError(problems);
}

/** The counts and times of a run, as callers name them. */
export interface CheckedSettings {
  readonly repeats?: number | undefined;
  readonly concurrency?: { readonly agents?: number | undefined; readonly scoring?: number | undefined } | undefined;
  readonly turnTimeout?: number | undefined;
  readonly caseTimeout?: number | undefined;
  readonly runTimeout?: number | undefined;
}

/** `checkPositive` for all that a run is told. */
export function checkRunSettings(settings: CheckedSettings): void {
  const { repeats, turnTimeout, caseTimeout, runTimeout, concurrency: { agents, scoring } = {} } = settings;
  checkPositive({
    ...{ repeats, turnTimeout, caseTimeout, runTimeout },
    ...{ 'concurrency.agents': agents, 'concurrency.scoring': scoring },
  });
}
