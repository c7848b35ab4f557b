import { counted } from '@agent-criteria/core/host';
import { judgeStandings } from '../judge-standing.ts';
import type { MeasuredFile } from '../measured.ts';
import type { RunOutcomes } from '../run-outcomes.ts';
import { unmeasuredText } from '../text/judges.ts';
import type { Baseline, GateResult, Gates } from './gate.ts';
import { type AskedGate, askedGates } from './gate-kinds.ts';
import { outsideTheBaseline } from './outside-the-baseline.ts';
import { undecidedText } from './undecided.ts';

export interface GateOptions {
  /** Of intervals. Default 0.95. */
  readonly level?: number | undefined;
  /** Measurements of judges. Default: none. */
  readonly measured?: readonly MeasuredFile[] | undefined;
  /** How many runs, such as variants, are held against a baseline at once and set one exit code. Default 1. */
  readonly comparisons?: number | undefined;
  /** An earlier run of the same agent that found a regression, which this one confirms or not: both are held against the baseline together. */
  readonly confirms?: RunOutcomes | undefined;
  /** Whether the gates alone decide the exit code. Default `false`. */
  readonly decide?: boolean | undefined;
}

/**
 * Asks each gate about a run, in the order of `Gates`. A gate by an interval holds when the whole interval reaches it. It
 * does not hold when the number itself misses it, and otherwise it cannot tell: there are too few cases. Unjudged cases count at their
 * worst; if the number misses the gate only because of that, the gate cannot tell either. A gate that rests on a judge that was never
 * measured says so. Where cases stopped early, a gate on how often they pass cannot tell: a case stops when it looks clearly good or
 * bad, and so looks better or worse than it is.
 *
 * With `decide`, a further gate named `decide` cannot tell if every gate holds only because none asks about cases or criteria that did
 * not come out well.
 */
export function gateResults(
  run: RunOutcomes,
  gates: Gates,
  baseline: Baseline,
  { level = 0.95, measured = [], comparisons = 1, confirms, decide = false }: GateOptions = {},
): readonly GateResult[] {
  const standings = judgeStandings(run, measured);
  const stopped = run.stoppedEarly?.stopped ?? 0;
  const results = askedGates(gates, baseline).map((gate): GateResult => {
    const { name, restsOn } = gate;
    if (restsOn === 'verdicts' && isUndecided(run)) return { name, holds: null, text: NOTHING_DECIDES };
    if (stopped > 0 && gate.movedByStopping) return { name, holds: null, text: stoppedText(stopped) };
    const { holds, text } = gate.find(run, { level, comparisons, confirms, baseline });
    const outside = restsOn === 'baseline' ? outsideText(run, baseline) : null;
    const note = unmeasuredText(standings.filter(({ criterion }) => dependsOn(gate, criterion, run)));
    return { name, holds, text: [text, outside, note].filter((part) => part !== null).join('; ') };
  });
  // Without any gate, the cases decide.
  if (!decide || results.length === 0 || results.some(({ holds }) => holds !== true)) return results;
  const text = undecidedText(run, gates, baseline);
  return text === null ? results : [...results, { name: 'decide', holds: null, text }];
}

function outsideText(run: RunOutcomes, baseline: Baseline): string | null {
  const found = outsideTheBaseline(run, baseline);
  if (found === null) return null;
  return `not compared: ${counted(found.cases, 'case')} that the baseline lacks or asks otherwise, of which ${found.notPassed} did not pass`;
}

const NOTHING_DECIDES = 'no criterion of this run decides, so no case passes or fails';

function stoppedText(stopped: number): string {
  return `${counted(stopped, 'case')} stopped early (--num_runs auto), which makes cases look better or worse than they are; use a fixed number of repeats`;
}

function isUndecided({ cases }: RunOutcomes): boolean {
  return cases.length > 0 && cases.every(({ verdict }) => verdict === 'informational');
}

/** Whether other scores of a criterion could change the result of a gate. */
function dependsOn(gate: AskedGate, criterion: string, { criteria }: RunOutcomes): boolean {
  if (gate.criterion !== null) return gate.criterion === criterion;
  return gate.restsOn !== 'cost' && criteria.some(({ name, decides }) => name === criterion && decides);
}
