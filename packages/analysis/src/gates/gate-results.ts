import { counted } from '@agent-criteria/core/host';
import { judgeStatuses } from '../judge-status.ts';
import type { MeasuredFile } from '../measured.ts';
import type { RunOutcomes } from '../run-outcomes.ts';
import { unmeasuredText } from '../text/judges.ts';
import type { Baseline, GateResult, Gates } from './gate.ts';
import { type AskedGate, askedGates } from './gate-kinds.ts';
import { outsideTheBaseline } from './outside-the-baseline.ts';
import { undecidedText } from './undecided.ts';

export interface GateOptions {
  /** The confidence level of intervals. Default 0.95. */
  readonly level?: number | undefined;
  /** Measurements of judges. Default: none. */
  readonly measured?: readonly MeasuredFile[] | undefined;
  /**
   * The number of runs, such as variants, that are compared with a baseline and together set one exit code. Default 1.
   */
  readonly comparisons?: number | undefined;
  /**
   * An earlier run of the same agent that found a regression. If given, both runs together are compared with the
   * baseline.
   */
  readonly confirms?: RunOutcomes | undefined;
  /** Whether the gates alone decide the exit code. Default `false`. */
  readonly decide?: boolean | undefined;
}

/**
 * Evaluates each gate for a run, in the order of `Gates`. A gate on an interval holds if the whole interval reaches the
 * limit, does not hold if the number itself misses it, and otherwise cannot tell. Unjudged cases count at their worst;
 * if the number misses the limit only because of that, the gate cannot tell. A gate that depends on an unmeasured judge
 * mentions it in its text. If cases stopped early, gates whose numbers this biases cannot tell.
 *
 * With `decide`, a further gate named `decide`, which cannot tell, is added if all gates hold only because none of them
 * covers the cases or criteria with a bad result.
 */
export function gateResults(
  run: RunOutcomes,
  gates: Gates,
  baseline: Baseline,
  { level = 0.95, measured = [], comparisons = 1, confirms, decide = false }: GateOptions = {},
): readonly GateResult[] {
  const judges = judgeStatuses(run, measured);
  const stopped = run.stoppedEarly?.stopped ?? 0;
  const results = askedGates(gates, baseline).map((gate): GateResult => {
    const { name, restsOn } = gate;
    if (restsOn === 'verdicts' && isUndecided(run)) return { name, holds: null, text: NOTHING_DECIDES };
    if (stopped > 0 && gate.movedByStopping) return { name, holds: null, text: stoppedText(stopped) };
    const { holds, text } = gate.find(run, { level, comparisons, confirms, baseline });
    const outside = restsOn === 'baseline' ? outsideText(run, baseline) : null;
    const note = unmeasuredText(judges.filter(({ criterion }) => dependsOn(gate, criterion, run)));
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

/** Whether different scores of a criterion could change a gate's result. */
function dependsOn(gate: AskedGate, criterion: string, { criteria }: RunOutcomes): boolean {
  if (gate.criterion !== null) return gate.criterion === criterion;
  return gate.restsOn !== 'cost' && criteria.some(({ name, decides }) => name === criterion && decides);
}
