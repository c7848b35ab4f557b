// Long: simulates many runs.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { allRuns, moreRuns } from '../runs.ts';
import { misannounced, missedAims, weakerCells } from './aims.ts';
import { cellName, grid } from './grid.ts';
import { guidePage, guideSection } from './guide-section.ts';
import { readKept } from './kept.ts';
import { missedKnown, weakerKnown } from './known.ts';
import { type CellResult, simulate } from './simulate.ts';

// Checks the claims made by statements about runs, using simulation with fixed seeds: in full in `.ci/nightly`, and in
// a small form in `pnpm test`, which is compared with the stored full form. `pnpm simulate --write` updates that.

const kept = readKept();

describe('the stored simulation results', () => {
  it('include every cell of the grid', () => {
    expect(kept.map(({ table, cell }) => [table, cell])).toEqual(grid.map((cell) => [cell.table, cellName(cell)]));
  });

  it('reach their aims, except those known to be missed', () => {
    const missed = missedAims(kept).map(({ table, column }) => `${table}: ${column}`);
    expect([...new Set(missed)].sort()).toEqual([...missedKnown].sort());
  });

  it('detect drops as often as the reference test, except in tables known to be weaker', () => {
    expect([...new Set(weakerCells(kept).map(({ table }) => table))].sort()).toEqual([...weakerKnown].sort());
  });

  it('match those in the guide', () => {
    expect(readFileSync(guidePage, 'utf8')).toContain(guideSection(kept));
  });

  it('announce a power within 5 points of the actual one', () => {
    expect(misannounced(kept)).toEqual([]);
  });
});

/** The number of draws: by default, the fewest that can tell a wrong number from chance. */
const draws = moreRuns ? 8 : 4;

it('the simulations reproduce the stored results', () => {
  const again = grid.map((cell, index) => {
    const full = (kept[index] as CellResult).draws;
    return simulate(cell, (allRuns ? full : draws) / cell.draws);
  });
  expect(again.flatMap((own, index) => differing(own, kept[index] as CellResult))).toEqual([]);
  // The full form takes some minutes of CPU time.
}, 1_800_000);

/** Returns the columns of a cell that differ from the stored ones by more than the error of fewer draws. */
function differing(own: CellResult, full: CellResult): readonly unknown[] {
  return Object.entries(full.columns).flatMap(([column, { mean, of }]) => {
    const now = own.columns[column];
    if (of === 0 || now === undefined || now.of === 0) return [];
    // In the full form, with the same seeds, only the last digits of logarithms can differ between machines.
    if (allRuns) return Math.abs(now.mean - mean) > 0.004 ? [{ ...own, column, mean, now: now.mean }] : [];
    // Five standard errors of a share, or of a width, which may vary by as much as its own size; plus a margin near 0
    // or 1.
    const variance = column.endsWith('width') ? mean ** 2 : mean * (1 - mean);
    const error = 5 * Math.sqrt(variance / now.of) + 4 / now.of;
    return Math.abs(now.mean - mean) > error ? [{ ...own, column, mean, now: now.mean }] : [];
  });
}
