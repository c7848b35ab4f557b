import { counted, type Summary, type Verdict } from '@agent-criteria/core/host';
import type { KnownOutcome } from '../outcome/known-outcome.ts';
import { type GateRecord, type OutcomeRecord, outcomeOf } from '../outcome/outcome-record.ts';
import type { RunRecord } from '../run-record.ts';

/** The outcome of a run, as reports show it. Plain JSON. */
export interface ShownOutcome {
  /** `none` if the record has no outcome, as in an ADK result file. */
  readonly state: KnownOutcome['state'] | 'none';
  /**
   * The verdict on the whole run: `failed` if the exit code is 1, `passed` or `informational` if it is 0, or
   * `cannot-tell` if it is 3 because of a gate.
   */
  readonly verdict: Verdict | 'cannot-tell';
  /** The exit code of the process, or `null` if unknown. */
  readonly exitCode: 0 | 1 | 3 | null;
  /** A headline such as `2 passed of 2 cases; 1 of 2 gates does not hold: exit 1`. */
  readonly headline: string;
  readonly decided: boolean;
  readonly gates: readonly GateRecord[];
  /** The reasons why the run did not pass, apart from its cases and gates, as complete sentences. */
  readonly problems: readonly string[];
  /** Other remarks, as complete sentences. */
  readonly notes: readonly string[];
}

/** The parts of a run that `shownOutcome` needs. */
export interface RunWithOutcome extends Pick<RunRecord, 'summary' | 'outcome'> {
  /** `variants` is present if its agents have variant names. */
  readonly info: { readonly variants?: readonly unknown[] | undefined };
}

/**
 * Describes a run's outcome in words. If the run is unfinished, or its outcome is missing or not believed, it never
 * looks like a pass.
 */
export function shownOutcome({ summary, outcome, info }: RunWithOutcome): ShownOutcome {
  // With several agents, each case has one result per agent.
  const noun = info.variants === undefined ? 'case' : 'result';
  const counts = countsOf(summary, noun);
  const of = (state: ShownOutcome['state'], rest: Partial<ShownOutcome> = {}): ShownOutcome => {
    const { verdict, exitCode } = summary;
    return { state, verdict, exitCode, headline: counts, decided: false, gates: [], problems: [], notes: [], ...rest };
  };
  // Never let the run look as if it had passed.
  const unknown = { verdict: summary.verdict === 'failed' ? 'failed' : 'error', exitCode: null } as const;
  switch (outcome?.state) {
    case undefined:
      return of('none');
    case 'unfinished':
      return of('unfinished', unknown);
    case 'not-recorded':
      return of('not-recorded', {
        exitCode: null,
        notes: ['Gates not recorded: this run was written by an older version.'],
      });
    case 'missing': {
      const named = outcome.gates.map(gateTitle).join(', ');
      const asked = named === '' ? '' : ` Its gates (${named}) were not asked.`;
      const note = `The outcome of this run was not recorded: it ended too early.${asked} Resume the run to record it.`;
      return of('missing', { ...unknown, headline: `${counts}; outcome not recorded`, problems: [note] });
    }
    case 'changed': {
      const note = `The outcome of this run is not believed: ${outcome.problem}. Resume the run to find it again from the scores.`;
      return of('changed', { ...unknown, exitCode: 3, headline: `${counts}; outcome not believed`, problems: [note] });
    }
    case 'recorded': {
      const { exitCode, decided, gates, problems, unasked } = outcome;
      return of('recorded', {
        verdict: verdictOf(outcome),
        exitCode,
        decided,
        gates,
        headline: headlineOf(outcome, noun),
        problems: problems.map((problem) => problemText(problem, outcome)),
        notes: unasked === true ? [UNASKED] : [],
      });
    }
  }
}

/** Mentions the exit code if the problem changed it. */
function problemText(problem: string, outcome: OutcomeRecord): string {
  const without = outcomeOf({ ...outcome, decide: outcome.decided, problems: [] });
  if (without.exitCode === 0) return `Exit code ${outcome.exitCode}: ${problem}.`;
  return `${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`;
}

const UNASKED = 'Gates not asked: the code that ran these cases goes by their verdicts alone.';

function verdictOf({ summary, exitCode, decided, problems, gates }: OutcomeRecord): ShownOutcome['verdict'] {
  if (exitCode === 1) return 'failed';
  if (exitCode === 0) return decided ? (summary.nothingJudged ? 'informational' : 'passed') : summary.verdict;
  const { verdict } = summary;
  if (problems.length > 0 || (verdict === 'error' && !decided)) return 'error';
  const isOfGates = (decided || summary.exitCode === 0) && gates.some(({ holds }) => holds === null);
  return isOfGates ? 'cannot-tell' : 'not-evaluated';
}

function headlineOf({ summary, gates, decided, exitCode, problems }: OutcomeRecord, noun: string): string {
  const counts = countsOf(summary, noun);
  if (decided) return `${badText(summary, noun)}; ${gatesText(gates)}: exit ${exitCode}, decided by the gates`;
  if (gates.length > 0) return `${counts}; ${gatesText(gates)}: exit ${exitCode}`;
  return problems.length === 0 ? counts : `${counts}: exit ${exitCode}`;
}

/** Formats counts: `2 passed, 1 failed of 3 cases`. */
function countsOf({ verdicts, total }: Summary, noun: string): string {
  const parts = Object.entries(verdicts).flatMap(([verdict, count]) => (count > 0 ? [`${count} ${verdict}`] : []));
  return `${parts.join(', ') || '0'} of ${counted(total, noun)}`;
}

const BAD = {
  failed: 'failed',
  error: 'ended in an error',
  'not-evaluated': 'could not be judged',
  informational: 'could only be measured',
} as const;

/** Summarises bad results: `3 of 100 cases failed, 1 of 100 cases ended in an error`, or `all 100 cases passed`. */
function badText({ verdicts, total }: Summary, noun: string): string {
  const bad = (Object.keys(BAD) as (keyof typeof BAD)[]).flatMap((verdict) =>
    verdicts[verdict] === 0 ? [] : [`${verdicts[verdict]} of ${counted(total, noun)} ${BAD[verdict]}`],
  );
  if (bad.length > 0) return bad.join(', ');
  return total === 1 ? `1 ${noun} passed` : `all ${total} ${noun}s passed`;
}

/** Returns the gate's name without the word "gate": `pass_rate (fast)`. */
export function gateTitle({ name, variant }: Pick<GateRecord, 'name' | 'variant'>): string {
  return variant === undefined ? name : `${name} (${variant})`;
}

export function gateWord({ holds }: Pick<GateRecord, 'holds'>): 'holds' | 'does not hold' | 'cannot tell' {
  return holds === true ? 'holds' : holds === false ? 'does not hold' : 'cannot tell';
}

/** Summarises gates: `both gates hold`, `1 of 3 gates does not hold`. */
export function gatesText(gates: readonly GateRecord[]): string {
  const count = gates.length;
  const failed = gates.filter(({ holds }) => holds === false).length;
  const open = gates.filter(({ holds }) => holds === null).length;
  if (failed + open === 0)
    return count === 1 ? 'the gate holds' : count === 2 ? 'both gates hold' : `all ${count} gates hold`;
  const some = (few: number) => (count === 1 ? 'the gate' : `${few} of ${count} gates`);
  const parts = [
    ...(failed > 0 ? [`${some(failed)} ${failed === 1 ? 'does' : 'do'} not hold`] : []),
    ...(open > 0 ? [`${failed > 0 ? open : some(open)} cannot tell`] : []),
  ];
  return parts.join(', ');
}
