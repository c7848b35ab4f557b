import { counted } from '@agent-criteria/core/host';
import { isUnknown } from '@agent-criteria/statistics';
import { PASS_RATE, rulesOutRegression } from '../change.ts';
import { compareRuns } from '../compare-runs.ts';
import type { RunOutcomes } from '../run-outcomes.ts';
import { pointsText } from '../text/numbers.ts';
import { unjudgedText } from '../text/phrases.ts';
import type { Against, Finding } from './gate.ts';

/**
 * Requires the whole interval of the change in the pass rate to lie above minus the margin. Unjudged cases count
 * against the run.
 *
 * @param margin A share: 0.05 is 5 points.
 */
export function noWorseThanGate(run: RunOutcomes, margin: number, { baseline, comparisons }: Against): Finding {
  const asked = `the gate requires a fall of less than ${pointsText(margin)} to be shown`;
  const { passRate, notCompared, outcome, statement } = compareRuns(baseline, run, { minEffect: margin, comparisons });
  if (passRate === null || passRate.difference === null || outcome === 'nothing-compared') {
    const why = notCompared.find((one) => one.name === PASS_RATE)?.why;
    return {
      holds: null,
      text: why === undefined ? statement.replace(/\.$/, '') : `the pass rate cannot be compared: ${why}`,
    };
  }
  const { difference, interval, unjudged, atWorst } = passRate;
  const moved =
    Math.abs(difference) < 1e-12
      ? 'did not change'
      : `${difference > 0 ? 'rose' : 'fell'} by ${pointsText(difference)}`;
  const result = `the pass rate ${moved} over ${counted(passRate.pairs, 'paired case')}`;
  if (difference <= -margin + 1e-12) return { holds: false, text: `${result}; ${asked}` };
  if (isUnknown(interval))
    return {
      holds: null,
      text: `${result}, but its confidence interval is unknown: ${interval.unknown}; ${asked}`,
    };
  if (unjudged > 0) {
    // The interval shifts along with the difference.
    const low = interval.low - (difference - (atWorst?.difference ?? Number.NEGATIVE_INFINITY));
    if (low <= -margin)
      return {
        holds: null,
        text: `${result}, but ${unjudgedText(unjudged)} and may hide a larger fall; ${asked}`,
      };
  }
  const low = endText(interval.low);
  const open = unjudged === 0 ? '' : `; ${unjudgedText(unjudged)}`;
  return rulesOutRegression(passRate)
    ? { holds: true, text: `${result}, and ${low}; ${asked}${open}` }
    : { holds: null, text: `${result}, but ${low}: too few cases to tell; ${asked}` };
}

function endText(low: number): string {
  const size = low < 0 ? `a fall of ${pointsText(low)}` : low > 0 ? `a rise of ${pointsText(low)}` : 'no change';
  return `the lower end of its 95% confidence interval is ${size}`;
}
