import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { allRuns } from '../../../test/runs.ts';
import { measure, measuredSection, readMeasured } from './__fixtures__/measured.ts';

// How often intervals hold the truth, tests are wrong, and rules stop: in full by `.ci/run`, in small by `pnpm test`. The
// full form is kept, so that the small one has something to be held against.

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
    // In full, with the same seeds, only the last digits of logarithms can differ between machines.
    if (allRuns || samples === 0) return Math.abs(value - expected) > 0.3;
    if (unit === 'repeats') return Math.abs(value - expected) > 0.35 * expected;
    // Five standard errors of a share, and some for one that is near 0 or 100; 200 resamples are fewer than the full form has.
    const share = expected / 100;
    return Math.abs(value - expected) > 500 * Math.sqrt((share * (1 - share)) / samples) + 400 / samples + 1;
  });
  expect(differing).toEqual([]);
  // In full it takes half a minute of a processor.
}, 600_000);
