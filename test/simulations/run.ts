// Simulates what the statements about runs claim, through the public functions, and prints Markdown tables. Seeds are fixed.
//
//   pnpm simulate                               the full form: a quarter of an hour
//   pnpm simulate --share 0.1                   a tenth of the draws
//   pnpm simulate --table "^a drop"             only the tables whose names match
//   pnpm simulate --write                       keeps the result in __fixtures__/kept.json, which simulations.test.ts holds against the
//                                               code, and in the guide
//   pnpm simulate --against FILE                names the intervals that are more than 1.15 times as wide as in a kept file
//
// At the end it lists the cells that miss an aim of aims.ts, those in which the reference test finds more, and those with
// wrong announcements.
import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { misannounced, missedAims, weakerCells } from './aims.ts';
import { grid } from './grid.ts';
import { guidePage, guideSection, pageWith } from './guide-section.ts';
import { keptFile, keptText, readKept } from './kept.ts';
import { type CellResult, simulate } from './simulate.ts';
import { markdown, tablesOf } from './table.ts';

const { values } = parseArgs({
  options: {
    share: { type: 'string', default: '1' },
    table: { type: 'string', default: '' },
    write: { type: 'boolean', default: false },
    against: { type: 'string' },
  },
});
const [share, wanted] = [Number(values.share), new RegExp(values.table)];
const results: CellResult[] = [];
const cells = grid.filter(({ table }) => wanted.test(table));
for (const [index, cell] of cells.entries()) {
  results.push(simulate(cell, share, 20));
  if (process.stderr.isTTY) process.stderr.write(`\r${index + 1} of ${cells.length} cells`);
}
if (process.stderr.isTTY) process.stderr.write('\n');
if (values.write) {
  writeFileSync(keptFile, keptText(results));
  writeFileSync(guidePage, pageWith(readFileSync(guidePage, 'utf8'), guideSection(readKept())));
}

const percent = (share: number) => (share * 100).toFixed(1);
const missed = missedAims(results).map(({ table, cell, column, mean, bound }) => [
  table,
  cell,
  column,
  percent(mean),
  percent(bound),
]);
const weaker = weakerCells(results).map(({ table, cell, found, reference }) => [
  table,
  cell,
  percent(found),
  percent(reference),
]);
const wrong = misannounced(results).map(({ table, cell, announced, found }) => [
  table,
  cell,
  percent(announced),
  percent(found),
]);
const sections = [
  tablesOf(results),
  `**Aims that are missed** (${missed.length})\n\n${markdown(['table', 'setting', 'column', 'measured', 'aim'], missed)}`,
  `**Where the reference finds more** (${weaker.length})\n\n${markdown(['table', 'setting', 'found', 'reference'], weaker)}`,
  `**Announced wrongly** (${wrong.length})\n\n${markdown(['table', 'setting', 'announced', 'found'], wrong)}`,
];
if (values.against !== undefined) {
  const before = JSON.parse(readFileSync(values.against, 'utf8')) as readonly CellResult[];
  const wide = results.flatMap((one) => {
    const own = before.find(({ table, cell }) => table === one.table && cell === one.cell);
    return Object.entries(one.columns).flatMap(([column, { mean }]) => {
      const was = own?.columns[column];
      if (!column.endsWith('width') || was === undefined || was.of === 0 || mean <= 1.15 * was.mean) return [];
      return [[one.table, one.cell, column, percent(was.mean), percent(mean), (mean / was.mean).toFixed(2)]];
    });
  });
  sections.push(
    `**Wider than before** (${wide.length})\n\n${markdown(['table', 'setting', 'interval', 'before', 'now', 'ratio'], wide)}`,
  );
}
console.log(sections.join('\n\n'));
