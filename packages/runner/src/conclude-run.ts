import { type Problem, toErrorInfo } from '@agent-criteria/core';
import { type GateRecord, type OutcomeRecord, outcomeOf } from '@agent-criteria/results';
import { gateTitle } from '@agent-criteria/results/text';
import type { Redaction } from './engine/redact.ts';
import type { Executed } from './execute.ts';
import type { PlannedSet } from './planned-set.ts';
import { type OpenedRun, openRun } from './run-folder/open-run.ts';
import type { GateName } from './run-folder/plan-file.ts';
import type { SavedRun } from './run-folder/saved-run.ts';

/** A run's gates as functions, so that the runner need not know what they check. */
export interface GatesOfRun {
  /** Whether the gates alone decide the exit code. */
  readonly decide: boolean;
  /** The gates that will be checked, in order. */
  readonly names: readonly GateName[];
  /** Checks the gates. @param run The finished run, in its folder. */
  results(run: OpenedRun): Promise<readonly GateRecord[]>;
}

/** The results of gates that the caller has already checked. */
export interface GatesOfCases extends Pick<GatesOfRun, 'decide'> {
  readonly results: readonly GateRecord[];
}

interface ConcludeOptions {
  readonly gates: GatesOfRun | undefined;
  readonly sets: readonly PlannedSet[];
  /** The run's own redaction, whose mask still knows secrets that no variable contains any more. */
  readonly redaction: Redaction;
}

/** A run's outcome, and all warnings about it. */
interface Conclusion {
  /** The outcome, or `null` if the run is unfinished or was not judged. */
  readonly outcome: OutcomeRecord | null;
  readonly warnings: readonly Problem[];
}

/** Checks a finished run's gates, and records its outcome in its folder. */
export async function concludeRun(saved: SavedRun, done: Executed, options: ConcludeOptions): Promise<Conclusion> {
  const { scoring, scoresFile: file } = saved;
  // A setting that the agent does not support has nothing to do with the file.
  const inScores = done.warnings.map((one) => (one.code === 'NOT_SUPPORTED' ? one : { ...one, file }));
  const warnings = [...saved.warnings, ...inScores];
  if (!done.finished) return { outcome: null, warnings };
  const outcome = scoring === 0 ? null : await outcomeWithGates(saved, done, options);
  if (outcome !== null) warnings.push(...saved.record(outcome));
  // Write the summary last: a scoring pass without one is resumed, and then gets its outcome.
  saved.finish(done.summary);
  return { outcome, warnings };
}

async function outcomeWithGates(
  { folder, scoring, gates: planned }: SavedRun,
  { summary }: Executed,
  { gates, sets, redaction: { mask } }: ConcludeOptions,
): Promise<OutcomeRecord> {
  const asked = gates === undefined ? [] : await ask(gates, () => openRun(folder, { scoring }));
  const results = [...asked, ...notAsked(asked, planned)];
  return outcomeOf({
    summary,
    gates: results.map((one) => (mask === null ? one : { ...one, text: mask.json(one.text) })),
    decide: gates?.decide,
    unasked: gates === undefined && hasGates(sets),
  });
}

/**
 * Lists the gates that the run started with but that were not checked, so that leaving out a gate cannot make a run
 * pass.
 */
function notAsked(asked: readonly GateName[], planned: readonly GateName[]): readonly GateRecord[] {
  const names = new Set(asked.map(gateTitle));
  const missing = planned.filter((gate) => !names.has(gateTitle(gate)));
  return missing.map((gate) => ({ ...gate, holds: null, text: NOT_ASKED }));
}

const NOT_ASKED =
  'the run was begun with this gate, but it was not asked: resume the run with the same gates, or score it again without this one';

/** Whether any config has gates. */
export function hasGates(sets: readonly PlannedSet[]): boolean {
  return sets.some(({ plan }) => plan.config?.agentCriteria?.gates !== undefined);
}

/** Checks the gates. If that fails, none of them has a result. */
async function ask(gates: GatesOfRun, open: () => OpenedRun): Promise<readonly GateRecord[]> {
  try {
    return await gates.results(open());
  } catch (error) {
    const text = `the gate could not be asked: ${toErrorInfo(error).message}`;
    return gates.names.map((gate) => ({ ...gate, holds: null, text }));
  }
}
