import { type Problem, toErrorInfo } from '@agent-criteria/core';
import { type GateRecord, type OutcomeRecord, outcomeOf } from '@agent-criteria/results';
import { gateTitle } from '@agent-criteria/results/text';
import type { Redaction } from './engine/redact.ts';
import type { Executed } from './execute.ts';
import type { GateName } from './gate-name.ts';
import type { PlannedSet } from './planned-set.ts';
import { readScoringPlan } from './run-folder/create-run.ts';
import type { KeptRun } from './run-folder/keep-run.ts';
import { type OpenedRun, openRun } from './run-folder/open-run.ts';

/** The gates of a run, as functions: the runner does not know what they check. */
export interface GatesOfRun {
  /** They alone decide the exit code. */
  readonly decide: boolean;
  /** The gates that will be asked, in their order. */
  readonly names: readonly GateName[];
  /** Asks the gates. @param run The finished run, in its folder. */
  results(run: OpenedRun): Promise<readonly GateRecord[]>;
}

/** The results of gates that the caller has asked. */
export interface GatesOfCases extends Pick<GatesOfRun, 'decide'> {
  readonly results: readonly GateRecord[];
}

/** The outcome of a run that was just finished, and what kept it from being recorded. */
export interface Conclusion {
  /** `null`: the run is not finished, or was not judged. */
  readonly outcome: OutcomeRecord | null;
  readonly problems: readonly Problem[];
}

export interface ConcludeOptions {
  readonly gates: GatesOfRun | undefined;
  readonly sets: readonly PlannedSet[];
  /** The redaction of the run itself: its mask knows secrets that no variable holds any more. */
  readonly redaction: Redaction;
}

/** Asks the gates of a finished run, and records its outcome in its folder. */
export async function concludeRun(kept: KeptRun, done: Executed, options: ConcludeOptions): Promise<Conclusion> {
  const { gates, sets } = options;
  const { mask } = options.redaction;
  const { folder, scoring } = kept;
  if (scoring === 0 || !done.finished) return { outcome: null, problems: [] };
  const asked = gates === undefined ? [] : await ask(gates, () => openRun(folder, { scoring }));
  const results = [...asked, ...forgotten(asked, readScoringPlan(folder, scoring).gates ?? [])];
  const outcome = outcomeOf({
    summary: done.summary,
    gates: results.map((one) => (mask === null ? one : { ...one, text: mask.json(one.text) })),
    decide: gates?.decide,
    unasked: gates === undefined && hasGates(sets),
  });
  return { outcome, problems: kept.record(outcome) };
}

/** The gates that the run was begun with and that were not asked: leaving out a gate must not make a run pass. */
function forgotten(asked: readonly GateName[], planned: readonly GateName[]): readonly GateRecord[] {
  const names = new Set(asked.map(gateTitle));
  const missing = planned.filter((gate) => !names.has(gateTitle(gate)));
  return missing.map((gate) => ({ ...gate, holds: null, text: FORGOTTEN }));
}

const FORGOTTEN =
  'the run was begun with this gate, but it was not asked: resume the run with the same gates, or score it again without this one';

/** Whether a config asks something of the whole run. */
export function hasGates(sets: readonly PlannedSet[]): boolean {
  return sets.some(({ plan }) => plan.config?.agentCriteria?.gates !== undefined);
}

/** A gate that could not be asked cannot tell. */
async function ask(gates: GatesOfRun, open: () => OpenedRun): Promise<readonly GateRecord[]> {
  try {
    return await gates.results(open());
  } catch (error) {
    const text = `the gate could not be asked: ${toErrorInfo(error).message}`;
    return gates.names.map((gate) => ({ ...gate, holds: null, text }));
  }
}
