import type { Summary } from '@agent-criteria/core/host';

/** The result of a gate, for the run or for one of its variants. Plain JSON. */
export interface GateRecord {
  /** The name in a config: `pass_rate`, `means.response_match_score`. */
  readonly name: string;
  readonly variant?: string | undefined;
  /** `null` if it cannot tell. */
  readonly holds: boolean | null;
  /** A sentence without its full stop. */
  readonly text: string;
  /** The baseline that it used; absent if the gate needs none. */
  readonly baseline?: BaselineRecord | undefined;
  /** The id of the run whose regression this run was to confirm, so that both decide together; absent if it decides alone. */
  readonly confirms?: string | undefined;
}

/** Identifies a baseline and its content. Plain JSON. */
export interface BaselineRecord {
  /** The id of the run, or of the run that the file was made of. */
  readonly id: string;
  /** The SHA-256 of the baseline file; for a run, of the file that `baseline set` would write. */
  readonly hash: string;
}

/** The verdicts and gates of a finished run, and the exit code that follows from them. Plain JSON. */
export interface OutcomeRecord {
  /** Over all cases. */
  readonly summary: Summary;
  /** In the order in which they were asked. */
  readonly gates: readonly GateRecord[];
  /** Whether the gates alone decided. */
  readonly decided: boolean;
  /** Other problems, such as a report that could not be written. Any of them makes the exit code non-zero. Clauses without a full stop. */
  readonly problems: readonly string[];
  /** Present if the config has gates, but the code that ran the cases did not ask them. */
  readonly unasked?: true | undefined;
  readonly exitCode: 0 | 1 | 3;
}

export interface OutcomeFacts extends Pick<OutcomeRecord, 'summary'> {
  /** Default: there are none. */
  readonly gates?: readonly GateRecord[] | undefined;
  /** `gates.decide` of the config. Default `false`. */
  readonly decide?: boolean | undefined;
  /** Default: there are none. */
  readonly problems?: readonly string[] | undefined;
  /** Default `false`. */
  readonly unasked?: boolean | undefined;
}

/**
 * Derives the outcome of a finished run. Gates can turn exit 0 into 1 (one does not hold) or 3 (one cannot tell), but never the reverse.
 * With `decide`, they alone decide: 1 if one does not hold, 3 if one cannot tell, otherwise 0. Any other problem turns 0 into 3.
 */
export function outcomeOf(facts: OutcomeFacts): OutcomeRecord {
  const { summary, gates = [], decide = false, problems = [], unasked = false } = facts;
  const ofGates = gates.some(({ holds }) => holds === false) ? 1 : gates.some(({ holds }) => holds !== true) ? 3 : 0;
  const decided = decide && gates.length > 0;
  const found = decided || summary.exitCode === 0 ? ofGates : summary.exitCode;
  const exitCode = found === 0 && problems.length > 0 ? 3 : found;
  return { summary, gates, decided, problems, ...(unasked ? { unasked } : {}), exitCode };
}

/** Adds problems to an outcome. */
export function withProblems(outcome: OutcomeRecord, problems: readonly string[]): OutcomeRecord {
  return outcomeOf({ ...outcome, decide: outcome.decided, problems: [...outcome.problems, ...problems] });
}

/** The id of the run that a run with these gates was to confirm; `undefined` if there is none. */
export function confirmedRun(gates: readonly Pick<GateRecord, 'confirms'>[]): string | undefined {
  return gates.find(({ confirms }) => confirms !== undefined)?.confirms;
}
