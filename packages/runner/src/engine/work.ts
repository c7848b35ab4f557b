import type { EvalCase, Problem, Unit } from '@agent-criteria/core';
import type { CallPolicies, UnitScores, Verdict } from '@agent-criteria/core/host';
import type { Prices } from '@agent-criteria/results';
import type { LimitFunction } from 'p-limit';
import type { AutoRepeats } from '../auto-repeats.ts';
import type { Journal } from '../journal/journal.ts';
import type { PlannedSet } from '../planned-set.ts';
import type { EngineVariant } from '../variants.ts';
import type { EventSink } from './events.ts';
import type { Rerun, UnitPlan } from './plan-case.ts';
import type { Redaction } from './redact.ts';
import type { Slots } from './slots.ts';

export interface EngineOptions {
  readonly sets: readonly PlannedSet[];
  /** The agents that every case runs with: one without a name, or several side by side. */
  readonly variants: readonly EngineVariant[];
  /** Which repeats of a case there are, from 0. */
  readonly repeatsOf: (setId: string, evalCase: EvalCase, variant: string | undefined) => readonly number[];
  /** A case stops once it has run often enough, and has no more repeats than these. Default: every case has all of them. */
  readonly auto: AutoRepeats | undefined;
  /** How many sessions are open at once. */
  readonly agents: number;
  /** How many units are scored at once; without `policies`, also how many calls run at once. */
  readonly scoring: number;
  /** Milliseconds. */
  readonly turnTimeout: number;
  readonly caseTimeout: number;
  readonly criterionTimeout: number;
  /** What stands before models and services. */
  readonly policies: CallPolicies | undefined;
  readonly redaction: Redaction;
  readonly prices: Prices | undefined;
  readonly rerun: Rerun | undefined;
  /** `false`: inferences only. */
  readonly judge: boolean;
  /** Ends everything now. */
  readonly signal: AbortSignal;
  /** Starts nothing more. */
  readonly drain: AbortSignal | undefined;
  readonly journal: Journal;
  /** Somebody may read later what the journal has: then each case is known by the hash of what the agent sees of it. */
  readonly isLasting: boolean;
  /** The results that the journal has are not believed: each is made again of its scores. Reads all of them, one by one. */
  readonly recheck: boolean;
  /** Is told everything that happens, once. */
  readonly sink: EventSink;
}

/** What is under way. */
export interface Work {
  readonly options: EngineOptions;
  /** Aborts with the run, and when the journal fails. */
  readonly end: AbortController;
  readonly calls: LimitFunction;
  readonly scoring: Slots;
  /** Of units that wait for their scores, too. */
  readonly places: Slots;
  /** Of open sessions, where cases are held while they are scored. */
  readonly sessions: Slots;
  readonly problems: Problem[];
  /** What was found changed in the journal. */
  readonly warnings: Problem[];
  undone: boolean;
  /** No call can be paid any more: what is under way comes to its end, and nothing else begins. */
  spent: boolean;
  failure: { readonly error: unknown } | null;
}

/** A case whose units are under way. */
export interface CaseWork {
  readonly set: PlannedSet;
  readonly evalCase: EvalCase;
  readonly agent: EngineVariant['agent'];
  readonly seen: string;
  readonly repeats: readonly number[];
  /** Of the repeats that are scored, with the tickets of their scores. */
  readonly scored: { readonly scores: UnitScores; readonly ticket: number }[];
  /** Of these, each by itself, where that decides how often the case runs. */
  readonly verdicts: Verdict[];
}

/** A unit that needs work, and what is left to do for it. */
export interface UnitWork {
  readonly ofCase: CaseWork;
  readonly unit: Unit;
  readonly plan: UnitPlan;
}

/** Whether a call was not made, so that nothing of what asked is kept. */
export interface Skipped {
  any: boolean;
}

/** Whether nothing new is begun any more. */
export function isEnding({ end, options, spent }: Work): boolean {
  return end.signal.aborted || options.drain?.aborted === true || spent;
}

/** Ends everything: a record could not be kept. */
export function fail(work: Work, error: unknown): void {
  work.failure ??= { error };
  work.end.abort(error);
}
