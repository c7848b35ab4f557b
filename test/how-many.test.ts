import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { powerOfPilot } from '../packages/analysis/src/power/announced-power.ts';
import { markdown } from './simulations/table.ts';

const guide = readFileSync(new URL('../docs/guide/how-many.md', import.meta.url), 'utf8');

/**
 * A pilot run of an agent that passes 80% of the time, with half of the variance due to chance, or all of it if cases
 * run once.
 */
const pilot = (repeats: number) => ({
  passRate: 0.8,
  seenPassRate: 0.8,
  within: repeats === 1 ? 0.16 : 0.08,
  measured: repeats > 1,
  cases: 100,
  repeats,
  groups: null,
});

it('the table in how-many.md lists the drops that a comparison detects', () => {
  const rows = [10, 20, 50, 100, 200, 500].map((cases) => [
    `${cases}`,
    ...[1, 3, 5, 10].map((repeats) => {
      const { all, some } = powerOfPilot(pilot(repeats), { cases, repeats });
      const [first, second] = [all, some].map(({ found }) => (found === null ? 'none' : `${Math.round(found * 100)}`));
      return first === second ? `${first}` : `${first} / ${second}`;
    }),
  ]);
  expect(guide).toContain(markdown(['cases', 'run once', '3 repeats', '5 repeats', '10 repeats'], rows));
});
