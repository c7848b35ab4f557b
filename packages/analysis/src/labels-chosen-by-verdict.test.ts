import { expect, it } from 'vitest';
import { allRuns } from '../../../test/runs.ts';
import { type Coverage, groupGrid, labelCoverage, labelGrid } from './__fixtures__/label-simulations.ts';

// Checks on a small scale how often the intervals from `calibrate` contain the true value. `scripts/label-coverage.ts`
// runs the full check, which alone can find a coverage just below 93%.

const draws = allRuns ? 400 : 15;
const NUMBERS = ['these', 'like', 'agreement', 'kappa', 'ac1'] as const;
/** A limit that a cell with a true coverage of 93% misses once in 30,000 times. */
const least = (counted: number) => 0.93 - 4 * Math.sqrt((0.93 * 0.07) / counted);

function check(found: readonly (readonly [string, Coverage])[]): void {
  const counted = found.filter(([, coverage]) => coverage.draws >= draws / 2);
  expect(counted.length).toBeGreaterThan(found.length / 2);
  expect(counted.filter(([, { held, draws: of }]) => held < least(of))).toEqual([]);
  const mean = counted.reduce((sum, [, { held }]) => sum + held, 0) / counted.length;
  expect(mean).toBeGreaterThan(0.94);
  expect(mean).toBeLessThan(0.985);
}

it('intervals of rates and agreement contain the true value however labels were chosen by verdict', () => {
  const cells = labelGrid.filter(({ cases, labels }) => allRuns || (cases === 300 && labels === 100));
  const found = cells.map((setting, index) => ({ setting, ...labelCoverage(setting, draws, index + 1) }));
  for (const number of NUMBERS) {
    check(found.map(({ setting, [number]: coverage }) => [`${number} ${JSON.stringify(setting)}`, coverage] as const));
  }
  const flagged = (chosen: string) =>
    found.filter(({ setting }) => setting.chosen === chosen).map((one) => one.flagged);
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  expect(mean(flagged('random'))).toBeLessThan(0.02);
  expect(mean(flagged('fails-first'))).toBeGreaterThan(0.8);
}, 600_000);

it('intervals of rates and agreement contain the true value if cases have groups', () => {
  const cells = allRuns ? groupGrid : groupGrid.filter(({ truth }) => truth[0] === 0.8);
  const found = cells.map((setting, index) => ({ setting, ...labelCoverage(setting, draws, index + 101) }));
  for (const { setting, ...numbers } of found) {
    for (const number of NUMBERS) {
      const { held, draws: of } = numbers[number];
      expect(held, `${number} ${JSON.stringify(setting)}`).toBeGreaterThan(least(of));
    }
  }
}, 600_000);
