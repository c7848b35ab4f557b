import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { allRuns } from '../../../test/runs.ts';
import { measure, measuredSection, readMeasured } from './__fixtures__/measured.ts';

// Checks how often intervals contain the true value, tests are wrong, and rules stop. `.ci/run` runs the full
// simulations, `pnpm test` smaller ones, whose results are compared with the stored results of the full ones.

const kept = readMeasured();
const all = kept.flatMap(({ measured }) => measured);

it('every method is within its claimed range', () => {
  const outside = all.filter(({ value, allowed: [low, high] }) => value < low || value > high);
  expect(outside).toEqual([]);
});

it('README.md has the measured numbers', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  expect(
    readme,
    'run: node --conditions=@agent-criteria/source packages/statistics/scripts/write-measured.ts',
  ).toContain(measuredSection(kept));
});

it('the simulations reproduce the measured numbers', () => {
  const again = measure(allRuns ? 1 : 1 / 50).flatMap(({ measured }) => measured);
  expect(again.map(({ method, setting }) => [method, setting])).toEqual(
    all.map(({ method, setting }) => [method, setting]),
  );
  const differing = again.filter(({ value, samples, unit }, index) => {
    const expected = all[index]!.value;
    // In the full form, with the same seeds, only the last digits of logarithms can differ between machines.
    if (allRuns || samples === 0) return Math.abs(value - expected) > 0.3;
    if (unit === 'repeats') return Math.abs(value - expected) > 0.35 * expected;
    // Five standard errors of a share, plus a margin for shares near 0 or 100, and for 200 resamples instead of 1,000.
    const share = expected / 100;
    return Math.abs(value - expected) > 500 * Math.sqrt((share * (1 - share)) / samples) + 400 / samples + 1;
  });
  expect(differing).toEqual([]);
  // The full form takes half a minute of processor time.
}, 600_000);
