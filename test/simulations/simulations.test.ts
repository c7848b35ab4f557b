import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isNightly } from '../runs.ts';
import { misannounced, missedAims, weakerCells } from './aims.ts';
import { cellName, grid } from './grid.ts';
import { guidePage, guideSection } from './guide-section.ts';
import { readKept } from './kept.ts';
import { missedKnown, weakerKnown } from './known.ts';
import { type CellResult, simulate } from './simulate.ts';

// The claims of statements about runs, by simulation with fixed seeds: in full by `.ci/nightly`, in small by `pnpm test`. The full form is
// kept, so that the small one has something to be held against. `pnpm simulate --write` makes it again.

const kept = readKept();

describe('the full form, as it was kept', () => {
  it('has every cell of the grid', () => {
    expect(kept.map(({ table, cell }) => [table, cell])).toEqual(grid.map((cell) => [cell.table, cellName(cell)]));
  });

  it('reaches its aims, except where it is known that it does not', () => {
    const missed = missedAims(kept).map(({ table, column }) => `${table}: ${column}`);
    expect([...new Set(missed)].sort()).toEqual([...missedKnown].sort());
  });

  it('finds drops as often as the reference test, except where it is known that it does not', () => {
    expect([...new Set(weakerCells(kept).map(({ table }) => table))].sort()).toEqual([...weakerKnown].sort());
  });

  it('is what the guide says', () => {
    expect(readFileSync(guidePage, 'utf8')).toContain(guideSection(kept));
  });

  it('announces power within 5 points of that of the rule that ships', () => {
    expect(misannounced(kept)).toEqual([]);
  });
});

it('the simulations come to these numbers again', () => {
  const again = grid.map((cell, index) => {
    const full = (kept[index] as CellResult).draws;
    return simulate(cell, (isNightly ? full : 8) / cell.draws);
  });
  expect(again.flatMap((own, index) => differing(own, kept[index] as CellResult))).toEqual([]);
  // In full it takes some minutes of a processor.
}, 1_800_000);

/** The columns of a cell that are not as they were kept, beyond the error of fewer draws. */
function differing(own: CellResult, full: CellResult): readonly unknown[] {
  return Object.entries(full.columns).flatMap(([column, { mean, of }]) => {
    const now = own.columns[column];
    if (of === 0 || now === undefined || now.of === 0) return [];
    // In full, with the same seeds, only the last digits of logarithms can differ between machines.
    if (isNightly) return Math.abs(now.mean - mean) > 0.004 ? [{ ...own, column, mean, now: now.mean }] : [];
    // Five standard errors of a share, or of a width, which may vary by its own size; and some where that is near 0 or 1.
    const variance = column.endsWith('width') ? mean ** 2 : mean * (1 - mean);
    const error = 5 * Math.sqrt(variance / now.of) + 4 / now.of;
    return Math.abs(now.mean - mean) > error ? [{ ...own, column, mean, now: now.mean }] : [];
  });
}
