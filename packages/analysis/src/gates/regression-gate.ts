import { type Change, MIN_EFFECT, PASS_RATE, rulesOutRegression } from '../change.ts';
import { combineRuns } from '../combine-runs.ts';
import { compareRuns, type RunComparison } from '../compare-runs.ts';
import type { RunOutcomes } from '../run-outcomes.ts';
import { pointsText } from '../text/numbers.ts';
import { unjudgedText } from '../text/phrases.ts';
import type { Against, Finding } from './gate.ts';

/**
 * Requires that no regression was found. Cannot tell if a fall that counts occurred in cases that could not have shown
 * a regression.
 */
export function regressionGate(
  run: RunOutcomes,
  least: number | boolean,
  { baseline, comparisons, confirms }: Against,
): Finding {
  const minEffect = typeof least === 'number' ? least : MIN_EFFECT;
  if (confirms === undefined) return gateOf(compareRuns(baseline, run, { minEffect, comparisons }), minEffect);
  const found = gateOf(compareRuns(baseline, combineRuns(confirms, run), { minEffect, comparisons }), minEffect);
  const text = found.text.replace(ABOUT_REPEATS, '');
  const again = compareRuns(baseline, run, { minEffect, comparisons });
  return { ...found, text: `${confirmedText(found, again)} of both together, ${text}` };
}

/**
 * Only a second fall confirms the first, because both runs together can be a regression when the second alone is not.
 */
function confirmedText({ holds }: Finding, again: RunComparison): string {
  if (holds !== false) return 'not confirmed by a second run;';
  const changes = decidingChanges(again);
  if (changes.length === 0) return 'a second run could not be compared;';
  const fell = ({ difference, range }: Change) => (difference as number) * (range.better === 'higher' ? 1 : -1) < 0;
  return changes.some(fell) ? 'confirmed by a second run;' : 'not seen again in a second run, but';
}

function gateOf(comparison: RunComparison, minEffect: number): Finding {
  const { outcome, notCompared } = comparison;
  const why = outcome === 'nothing-compared' ? notCompared.find(({ name }) => name === PASS_RATE)?.why : undefined;
  const sentence = comparison.statement
    .replace(/\.$/, '')
    .replace(/^[TN](?=he |othing )/, (first) => first.toLowerCase());
  const result = `${sentence}${why === undefined ? '' : ` (${PASS_RATE}: ${why})`}`;
  if (outcome === 'regression') return { holds: false, text: `${result}${aboutRepeats(comparison)}` };
  if (outcome === 'cannot-tell' || outcome === 'nothing-compared')
    return { holds: null, text: result.replace(': cannot tell, because ', ', but ') };
  const deciding = decidingChanges(comparison);
  const found = deciding.every(rulesOutRegression)
    ? `a regression of ${pointsText(minEffect)} or more is ruled out`
    : 'no regression was found';
  const open = Math.max(0, ...deciding.map(({ unjudged }) => unjudged));
  const missing = open === 0 ? '' : `; ${unjudgedText(open)}`;
  return { holds: true, text: `${found}; ${result}${missing}` };
}

/** A change between two runs may also come from the model's provider. */
const ABOUT_REPEATS =
  '; a change of the model or its provider between the runs looks the same, and --confirm runs once more and combines both';

function aboutRepeats(comparison: RunComparison): string {
  const isOfRepeats = decidingChanges(comparison).some(
    ({ verdict, by }) => verdict === 'regression' && by === 'repeats',
  );
  return isOfRepeats ? ABOUT_REPEATS : '';
}

function decidingChanges({ passRate, criteria }: RunComparison): readonly Change[] {
  return [...(passRate === null ? [] : [passRate]), ...criteria].filter(({ difference }) => difference !== null);
}
