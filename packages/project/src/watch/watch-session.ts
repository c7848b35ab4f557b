import { resolve } from 'node:path';
import type { Verdict } from '@agent-criteria/core/host';
import type { PreparedRun } from '../runs/prepared-run.ts';

/** The cases to run next: all, some of some eval sets, or none, because only the config changed and no agent has to run. */
export type Todo =
  | { readonly kind: 'all' }
  /** @param cases Absent: those of the sets that have changed. */
  | { readonly kind: 'some'; readonly evalSets: readonly string[]; readonly cases?: readonly string[] | undefined }
  | { readonly kind: 'judge'; readonly run: string };

/** The cases, verdicts and configs of the runs of one session. */
export interface WatchSession {
  /** The content of each case by id, by the path of its eval set. */
  readonly cases: Map<string, Map<string, string>>;
  /** The last verdict of each case by id, by the path of its eval set. */
  readonly verdicts: Map<string, Map<string, Verdict>>;
  /** The configs of eval sets. */
  readonly configs: Set<string>;
  /** The folder of the last finished run of all cases with the agent's current code, or `null` if there is none. */
  wholeRun: string | null;
}

export function newSession(): WatchSession {
  return { cases: new Map(), verdicts: new Map(), configs: new Set(), wholeRun: null };
}

/** Remembers the cases and the configs of a prepared run. */
export function remember({ cases, configs }: WatchSession, { sets }: Pick<PreparedRun, 'sets'>): void {
  for (const { file, configFile, plan } of sets) {
    if (configFile) configs.add(resolve(configFile));
    if (file === null) continue;
    const known = cases.get(resolve(file)) ?? new Map<string, string>();
    for (const evalCase of plan.evalSet.evalCases) known.set(evalCase.evalId, JSON.stringify(evalCase));
    cases.set(resolve(file), known);
  }
}

/** Returns the ids of the cases that are new, or differ from what last ran. */
export function changedCases({ cases }: WatchSession, { sets }: Pick<PreparedRun, 'sets'>): readonly string[] {
  return sets.flatMap(({ file, plan }) => {
    const known = file === null ? undefined : cases.get(resolve(file));
    return plan.evalSet.evalCases.flatMap((evalCase) =>
      known?.get(evalCase.evalId) === JSON.stringify(evalCase) ? [] : [evalCase.evalId],
    );
  });
}

/** Returns what to run after these files have changed. */
export function afterChange(session: WatchSession, changed: readonly string[]): Todo {
  const ofSets = changed.filter((file) => session.cases.has(file));
  if (ofSets.length === changed.length) return { kind: 'some', evalSets: ofSets };
  const ofConfigs = changed.filter((file) => session.configs.has(file));
  if (ofConfigs.length === changed.length && session.wholeRun !== null) return { kind: 'judge', run: session.wholeRun };
  return { kind: 'all' };
}

/** Returns the cases whose last verdict is neither passed nor informational, or `null` if there are none. */
export function failedCases({ verdicts }: WatchSession): Todo | null {
  const failed = [...verdicts].flatMap(([file, all]) => {
    const ids = [...all].flatMap(([id, verdict]) => (verdict === 'passed' || verdict === 'informational' ? [] : [id]));
    return ids.length === 0 ? [] : [{ file, ids }];
  });
  if (failed.length === 0) return null;
  return { kind: 'some', evalSets: failed.map(({ file }) => file), cases: failed.flatMap(({ ids }) => ids) };
}
