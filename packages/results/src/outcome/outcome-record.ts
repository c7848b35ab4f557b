import type { Summary } from '@agent-criteria/core/host';

/** The result of a gate, for the run or for one of its variants. Plain JSON. */
export interface GateRecord {
  /** The name in the config, such as `pass_rate` or `means.response_match_score`. */
  readonly name: string;
  readonly variant?: string | undefined;
  /** Whether the gate holds, or `null` if it cannot tell. */
  readonly holds: boolean | null;
  /** A sentence without the full stop. */
  readonly text: string;
  /** The baseline that was used; absent if the gate needs none. */
  readonly baseline?: BaselineRecord | undefined;
  /**
   * The id of the run whose regression this run was meant to confirm, so that the two decide together; absent if this
   * run decides alone.
   */
  readonly confirms?: string | undefined;
}

/** Identifies a baseline and its contents. Plain JSON. */
export interface BaselineRecord {
  /** The id of the run, or of the run from which the baseline file was made. */
  readonly id: string;
  /** The SHA-256 of the baseline file. For a run, that of the file that `baseline set` would write. */
  readonly hash: string;
}

/** The verdicts and gates of a finished run, and the resulting exit code. Plain JSON. */
export interface OutcomeRecord {
  /** The summary over all cases. */
  readonly summary: Summary;
  /** In the order in which they were checked. */
  readonly gates: readonly GateRecord[];
  /** Whether the gates alone decided the outcome. */
  readonly decided: boolean;
  /**
   * Other problems, such as a report that could not be written. Any of them makes the exit code non-zero. Each is a
   * clause without a full stop.
   */
  readonly problems: readonly string[];
  /** Present if the config has gates, but the code that ran the cases did not check them. */
  readonly unasked?: true | undefined;
  readonly exitCode: 0 | 1 | 3;
}

export interface OutcomeFacts extends Pick<OutcomeRecord, 'summary'> {
  /** Default: none. */
  readonly gates?: readonly GateRecord[] | undefined;
  /** `gates.decide` in the config. Default `false`. */
  readonly decide?: boolean | undefined;
  /** Default: none. */
  readonly problems?: readonly string[] | undefined;
  /** Default `false`. */
  readonly unasked?: boolean | undefined;
}

/**
 * Derives the outcome of a finished run. Gates can turn exit code 0 into 1 (if a gate does not hold) or 3 (if a gate
 * cannot tell), but never change another code. With `decide`, the gates alone determine the code: 1 if one does not
 * hold, 3 if one cannot tell, otherwise 0. Any other problem turns 0 into 3.
 */
export function outcomeOf(facts: OutcomeFacts): OutcomeRecord {
  const { summary, gates = [], decide = false, problems = [], unasked = false } = facts;
  const ofGates = gates.some(({ holds }) => holds === false) ? 1 : gates.some(({ holds }) => holds !== true) ? 3 : 0;
  const decided = decide && gates.length > 0;
  const found = decided || summary.exitCode === 0 ? ofGates : summary.exitCode;
  const exitCode = found === 0 && problems.length > 0 ? 3 : found;
  return { summary, gates, decided, problems, ...(unasked ? { unasked } : {}), exitCode };
}

export function withProblems(outcome: OutcomeRecord, problems: readonly string[]): OutcomeRecord {
  return outcomeOf({ ...outcome, decide: outcome.decided, problems: [...outcome.problems, ...problems] });
}

/** Returns the id of the run that a run with these gates was meant to confirm, or `undefined` if there is none. */
export function confirmedRun(gates: readonly Pick<GateRecord, 'confirms'>[]): string | undefined {
  return gates.find(({ confirms }) => confirms !== undefined)?.confirms;
}
