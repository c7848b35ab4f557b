import { unmeasuredText } from '../judge-lines.ts';
import { judgeStandings } from '../judge-standing.ts';
import type { MeasuredFile } from '../measured.ts';
import { MIN_EFFECT } from '../min-effect.ts';
import type { RunOutcomes } from '../run-outcomes.ts';
import { casePassRateGate } from './case-pass-rate-gate.ts';
import { costGate } from './cost-gate.ts';
import { flakyGate } from './flaky-gate.ts';
import type { Baseline, GateResult, Gates } from './gate.ts';
import { meanGate } from './mean-gate.ts';
import { isMovedByStopping, stoppedText } from './moved-by-stopping.ts';
import { noWorseThanGate } from './no-worse-than-gate.ts';
import { outsideTheBaseline } from './outside-the-baseline.ts';
import { passHatKGate } from './pass-hat-k-gate.ts';
import { passRateGate } from './pass-rate-gate.ts';
import { quantileGate } from './quantile-gate.ts';
import { regressionGate } from './regression-gate.ts';

export interface GateOptions {
  /** Of intervals. Default 0.95. */
  readonly level?: number | undefined;
  /** Measurements of judges. Default: none. */
  readonly measured?: readonly MeasuredFile[] | undefined;
  /** How many runs, such as variants, are held against a baseline at once and set one exit code. Default 1. */
  readonly comparisons?: number | undefined;
  /** An earlier run of the same agent that found a regression, which this one confirms or not: both are held against the baseline together. */
  readonly confirms?: RunOutcomes | undefined;
}

/**
 * Asks each gate about a run, in the order of `Gates`. A gate by an interval holds when the whole interval reaches it. It
 * does not hold when the number itself misses it, and otherwise one cannot tell: there are too few cases. What could not be
 * judged counts at its worst; where the number would reach the gate with that at its best, one cannot tell. A gate that rests on a
 * judge that was never measured says so. Where cases stopped early, one cannot tell what depends on how often they pass: a case
 * stops when it looks clearly good or bad, and so looks better or worse than it is.
 */
export function gateResults(
  run: RunOutcomes,
  gates: Gates,
  baseline: Baseline,
  { level = 0.95, measured = [], comparisons = 1, confirms }: GateOptions = {},
): readonly GateResult[] {
  const standings = judgeStandings(run, measured);
  return resultsOf(run, gates, baseline, { level, comparisons, confirms }).map((result) => {
    if (isUndecided(run) && RESTS_ON_VERDICTS.has(result.name))
      return { ...result, holds: null, text: NOTHING_DECIDES };
    if (isMovedByStopping(run, result.name)) return { name: result.name, holds: null, text: stoppedText(run) };
    const outside = COMPARES.has(result.name) && baseline !== null ? outsideTheBaseline(run, baseline) : null;
    const note = unmeasuredText(standings.filter(({ criterion }) => restsOn(run, result.name, criterion)));
    return { ...result, text: [result.text, outside, note].filter((text) => text !== null).join('; ') };
  });
}

const RESTS_ON_VERDICTS: ReadonlySet<string> = new Set(['pass_rate', 'pass_hat_k', 'flaky_share', 'case_pass_rate']);
const COMPARES: ReadonlySet<string> = new Set(['regression', 'no_worse_than']);
const NOTHING_DECIDES = 'no criterion of this run decides, so no case passes or fails';

function isUndecided({ cases }: RunOutcomes): boolean {
  return cases.length > 0 && cases.every(({ verdict }) => verdict === 'informational');
}

/** Whether a gate would come out otherwise with other scores of a criterion. */
function restsOn({ criteria }: RunOutcomes, gate: string, criterion: string): boolean {
  if (/^(means|quantiles)\./.test(gate)) return gate.slice(gate.indexOf('.') + 1) === criterion;
  return gate !== 'cost' && criteria.some(({ name, decides }) => name === criterion && decides);
}

function resultsOf(
  run: RunOutcomes,
  gates: Gates,
  baseline: Baseline,
  {
    level,
    comparisons,
    confirms,
  }: { readonly level: number; readonly comparisons: number; readonly confirms: RunOutcomes | undefined },
): readonly GateResult[] {
  const {
    passRate,
    means = {},
    quantiles = {},
    passHatK,
    flakyShare,
    casePassRate,
    cost,
    regression,
    noWorseThan,
  } = gates;
  return [
    ...(passRate === undefined ? [] : [passRateGate(run, passRate, level)]),
    ...Object.entries(means).map(([name, least]) => meanGate(run, name, least, level)),
    ...Object.entries(quantiles).map(([name, asked]) => quantileGate(run, name, asked, level)),
    ...(passHatK === undefined ? [] : [passHatKGate(run, passHatK, level)]),
    ...(flakyShare === undefined ? [] : [flakyGate(run, flakyShare, level)]),
    ...(casePassRate === undefined ? [] : [casePassRateGate(run, casePassRate)]),
    ...(cost === undefined ? [] : [costGate(run, cost, level)]),
    ...(regression === undefined || regression === false || baseline === null
      ? []
      : [
          regressionGate(run, baseline, {
            minEffect: regression === true ? MIN_EFFECT : regression,
            comparisons,
            confirms,
          }),
        ]),
    ...(noWorseThan === undefined || baseline === null
      ? []
      : [noWorseThanGate(run, baseline, noWorseThan, comparisons)]),
  ];
}
