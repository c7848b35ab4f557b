import type { EvalCase, Problem, Unit, UnitKey } from '@agent-criteria/core';
import type { UnitScores, Verdict } from '@agent-criteria/core/host';
import type { EngineVariant } from '../agents.ts';
import type { Journal } from '../journal/journal.ts';
import type { PlannedSet } from '../planned-set.ts';
import type { AutoRepeats, CheckedSettings } from '../settings.ts';
import type { EventSink } from './events.ts';
import type { Rerun, UnitPlan } from './plan-case.ts';
import type { Redaction } from './redact.ts';
import type { Semaphore } from './semaphore.ts';

/** A run's cases, the agents that run them, and the number of repeats. */
export interface CasesToRun {
  readonly sets: readonly PlannedSet[];
  /** The agents that run every case: a single unnamed one, or several side by side. */
  readonly variants: readonly EngineVariant[];
  /** The repeats of a case, zero-based. */
  repeatsOf(setId: string, evalCase: EvalCase, variant: string | undefined): readonly number[];
  /** Stops a case once it has run enough times. Default: every case runs all its repeats. */
  readonly auto?: AutoRepeats | undefined;
  readonly rerun?: Rerun | undefined;
}

export interface EngineOptions extends Pick<CheckedSettings, 'limits' | 'calls' | 'drain'> {
  readonly cases: CasesToRun;
  /** `false` to only run inferences. */
  readonly judge: boolean;
  readonly redaction: Redaction;
  readonly journal: Journal;
  /** Whether the journal can be read later, in which case each case is identified by the hash of the agent's input. */
  readonly isLasting: boolean;
  /** Whether the results in the journal are recomputed from their scores, which reads every one of them. */
  readonly recheck: boolean;
  readonly sink: EventSink;
  /** Ends everything immediately. */
  readonly signal: AbortSignal;
}

/** The state of a running engine. */
export interface Work {
  readonly options: EngineOptions;
  /** Aborts with the run, or when the journal fails. */
  readonly end: AbortController;
  /** Limits calls to models and services if no policies do. */
  readonly calls: Semaphore;
  /** Limits the number of units being scored. */
  readonly scoring: Semaphore;
  /** Limits the number of units being scored or waiting to be scored. */
  readonly queue: Semaphore;
  /** Limits open sessions if cases keep their worker while being scored. */
  readonly sessions: Semaphore;
  readonly problems: Problem[];
  readonly warnings: Problem[];
  undone: boolean;
  /** Whether the budget is spent. If so, work in flight ends and nothing new starts. */
  spent: boolean;
  failure: { readonly error: unknown } | null;
}

/** A case with units in flight. */
export interface CaseWork {
  readonly set: PlannedSet;
  readonly evalCase: EvalCase;
  readonly agent: EngineVariant['agent'];
  /** The hash of the agent's input. */
  readonly seen: string;
  readonly repeats: readonly number[];
  /** The scored repeats, with the tickets of those scores. */
  readonly scored: { readonly scores: UnitScores; readonly ticket: number }[];
  /** The verdict on each scored repeat alone, if verdicts decide how many times the case runs. */
  readonly verdicts: Verdict[];
}

/** A unit that needs work, and what is left to do. */
export interface UnitWork {
  readonly ofCase: CaseWork;
  readonly unit: Unit;
  readonly plan: UnitPlan;
}

/** Whether any call was not made, so that nothing depending on it is stored. */
export interface Skipped {
  any: boolean;
}

/** A case as run by one variant. */
interface CaseOfVariant extends Pick<CaseWork, 'set' | 'evalCase' | 'agent' | 'repeats'> {
  readonly ids: Omit<UnitKey, 'repeat'>;
}

/** Yields a run's cases in order: by set, then case, then variant. */
export function* casesOf({ sets, variants, repeatsOf }: CasesToRun): Generator<CaseOfVariant, undefined> {
  for (const set of sets) {
    const { evalSetId: setId, evalCases } = set.plan.evalSet;
    for (const evalCase of evalCases) {
      const { evalId: caseId } = evalCase;
      for (const { variant, agent } of variants) {
        const ids = variant === undefined ? { setId, caseId } : { setId, caseId, variant };
        yield { set, evalCase, agent, ids, repeats: repeatsOf(setId, evalCase, variant) };
      }
    }
  }
}

/** Whether no new work may start. */
export function isEnding({ end, options, spent }: Work): boolean {
  return end.signal.aborted || options.drain?.aborted === true || spent;
}

/** Ends everything, because a record could not be stored. */
export function fail(work: Work, error: unknown): void {
  work.failure ??= { error };
  work.end.abort(error);
}
