import type { EvalCase, Unit } from '@agent-criteria/core';
import type { CaseResult, UnitScores } from '@agent-criteria/core/host';
import type { RunInference } from '@agent-criteria/results';
import type { KeepCall } from './record-calls.ts';

/** What an earlier start of a run left of a unit. */
export interface KnownUnit {
  /** It ended by itself, and was recorded completely. */
  readonly inferred: boolean;
  /** Every criterion has scored it, and none was kept from judging. */
  readonly scored: boolean;
  inference(): RunInference;
  scores(): UnitScores;
}

/** Keeps what a run comes to while it runs, and knows what earlier starts of it came to. */
export interface Journal {
  /** The case's verdict when it needs no more work. */
  finished(setId: string, evalCase: EvalCase): CaseResult['verdict'] | null;
  known(unit: Unit): KnownUnit | null;
  /** Keeps an inference and gives it as it was kept: scores are of what can be read again. */
  keepInference(evalCase: EvalCase, recorded: RunInference): RunInference;
  /** `result`: what the case came to, with the last of its units. */
  keepScores(scores: UnitScores, result: CaseResult | null): void;
  keepCall: KeepCall;
}
