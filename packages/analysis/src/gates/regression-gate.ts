import { compareRuns } from '../compare-runs.ts';
import { PASS_RATE } from '../pass-rate.ts';
import type { RunOutcomes } from '../run-outcomes.ts';
import type { GateResult } from './gate.ts';

export function regressionGate(run: RunOutcomes, baseline: RunOutcomes, minEffect: number, level: number): GateResult {
  const { outcome, statement, notCompared } = compareRuns(baseline, run, { level, minEffect });
  const why = outcome === 'nothing-compared' ? notCompared.find(({ name }) => name === PASS_RATE)?.why : undefined;
  const sentence = statement.replace(/\.$/, '').replace(/^[TN](?=he |othing )/, (first) => first.toLowerCase());
  const said = `${sentence}${why === undefined ? '' : ` (${PASS_RATE}: ${why})`}`;
  const holds =
    outcome === 'regression' ? false : outcome === 'cannot-tell' || outcome === 'nothing-compared' ? null : true;
  return { name: 'regression', holds, text: holds ? `no regression was found; ${said}` : said };
}
