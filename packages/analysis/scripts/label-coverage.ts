import { groupGrid, type LabelCoverage, labelCoverage, labelGrid } from '../src/__fixtures__/label-simulations.ts';

// Prints how often the intervals from `calibrate` contain the true value. With 400 draws it takes a few minutes. Usage:
// node --conditions=@agent-criteria/source packages/analysis/scripts/label-coverage.ts [DRAWS]

const draws = Number(process.argv[2] ?? 400);
const NUMBERS = ['these', 'like', 'agreement', 'kappa', 'ac1'] as const;

for (const [name, grid] of [
  ['one answer per case', labelGrid],
  ['groups', groupGrid],
] as const) {
  console.log(`\n${name}: coverage in % (width); draws with an interval below 90% of all are marked with their share`);
  const found = grid.map((setting, index) => ({ setting, result: labelCoverage(setting, draws, index + 1) }));
  for (const { setting, result } of found) {
    const { truth, cases, labels, chosen, groupOf = 1 } = setting;
    const cells = NUMBERS.map((number) => cell(result, number));
    const flagged = `flagged ${(100 * result.flagged).toFixed(0)}`;
    console.log([truth.join('/'), cases, labels, chosen, groupOf, ...cells, flagged].join('\t'));
  }
  for (const chosen of new Set(grid.map((one) => one.chosen))) {
    for (const number of NUMBERS) {
      const own = found.filter((one) => one.setting.chosen === chosen).map((one) => one.result[number]);
      const held = own.filter((one) => one.draws >= 0.1 * draws).map((one) => 100 * one.held);
      const mean = held.reduce((sum, one) => sum + one, 0) / held.length;
      console.log(
        `${chosen}\t${number}\tleast ${Math.min(...held).toFixed(1)}\tmean ${mean.toFixed(1)}\t${held.length} cells`,
      );
    }
  }
}

function cell(result: LabelCoverage, number: (typeof NUMBERS)[number]): string {
  const { held, width, draws: counted } = result[number];
  const share = counted < 0.9 * draws ? ` of ${((100 * counted) / draws).toFixed(0)}%` : '';
  return `${(100 * held).toFixed(1)} (${width.toFixed(2)})${share}`;
}
