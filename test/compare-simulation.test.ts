// Long: simulates many runs.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compareRuns } from '@agent-criteria/analysis';
import { defineCriterion, noOptions } from '@agent-criteria/core';
import { evalCase, turn } from '@agent-criteria/core/eval-set';
import { createRegistry } from '@agent-criteria/core/host';
import { evaluate } from '@agent-criteria/runner';
import { afterAll, describe, expect, it } from 'vitest';
import { caseOf, runOf } from '../packages/analysis/src/__fixtures__/outcomes.ts';
import { capture } from '../packages/cli/src/__fixtures__/captured-io.ts';
import { createDraw } from '../packages/statistics/src/__fixtures__/draw.ts';
import { allRuns } from './runs.ts';

// Simulates with fixed seeds how often a comparison is wrong. The cases' true pass rates are drawn from Beta(4, 1), and
// each case runs three times.

const CASES = 100;
const REPEATS = 3;

/**
 * Draws three outcomes per case for a first run, and for a second in which half of the cases pass less often, by at
 * most `drop`.
 */
function twoRuns(seed: number, drop: number) {
  const draw = createDraw(seed);
  return Array.from({ length: CASES }, (_, index) => {
    const rate = draw.beta4by1();
    const after = index % 2 === 0 ? Math.max(0, rate - drop) : rate;
    const outcomes = (own: number) => Array.from({ length: REPEATS }, () => draw.outcome(own) === 1);
    return { before: outcomes(rate), after: outcomes(after) };
  });
}

function outcomeOf(seed: number, drop: number, minEffect: number): string {
  const cases = twoRuns(seed, drop);
  const run = (side: 'before' | 'after') => runOf(cases.map((one, index) => caseOf(`case-${index}`, one[side])));
  return compareRuns(run('before'), run('after'), { minEffect }).outcome;
}

describe('comparisons of 100 cases and 3 repeats', () => {
  const seeds = Array.from({ length: allRuns ? 1000 : 40 }, (_, index) => index + 1);
  const share = (drop: number, outcome: string) =>
    seeds.filter((seed) => outcomeOf(seed, drop, 0.01) === outcome).length / seeds.length;

  it('of an agent with itself report a regression in at most 5% of simulations', () => {
    expect(share(0, 'regression')).toBeLessThanOrEqual(0.05);
    expect(share(0, 'improvement')).toBeLessThanOrEqual(0.05);
  });

  it('find a drop of 10 points in at least 80% of simulations', () => {
    expect(share(0.2, 'regression')).toBeGreaterThanOrEqual(0.8);
  });
});

describe('agent-criteria compare', () => {
  const folder = mkdtempSync(join(tmpdir(), 'agent-criteria-simulation-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Stores a run by an agent whose repeats have these outcomes. */
  async function keep(name: string, outcomes: readonly (readonly boolean[])[]): Promise<string> {
    const right = defineCriterion({
      name: 'right',
      origin: { package: 'simulation', version: '1.0.0' },
      description: 'Whether the answer is right.',
      decides: true,
      range: { min: 0, max: 1, better: 'higher' },
      options: noOptions,
      scope: 'turn',
      evaluate: ({ actual }) => ({ value: actual.finalResponse?.parts?.[0]?.text === 'right' ? 1 : 0 }),
    });
    const asked = new Map<string, number>();
    const path = join(folder, name);
    await evaluate({
      evalSet: {
        evalSetId: 'home',
        evalCases: outcomes.map((_, index) => evalCase(`case-${index}`, [turn(String(index))])),
      },
      config: { criteria: { right: 1 } },
      registry: createRegistry([right]),
      agent: (message: string) => {
        const repeat = asked.get(message) ?? 0;
        asked.set(message, repeat + 1);
        return outcomes[Number(message)]?.[repeat] === true ? 'right' : 'wrong';
      },
      repeats: REPEATS,
      folder: path,
    });
    return path;
  }

  it.each(Array.from({ length: allRuns ? 40 : 2 }, (_, index) => index + 1))(
    'agrees with compareRuns() on the same numbers, seed %i',
    async (seed) => {
      for (const drop of [0, 0.2]) {
        const cases = twoRuns(seed, drop);
        const base = await keep(
          `${seed}-${drop}-base`,
          cases.map(({ before }) => before),
        );
        const candidate = await keep(
          `${seed}-${drop}-new`,
          cases.map(({ after }) => after),
        );
        const { code, out } = await capture(['compare', base, candidate, '--min-effect', '0.01', '--json'], {});
        const { outcome } = JSON.parse(out) as { outcome: string };
        expect(outcome).toBe(outcomeOf(seed, drop, 0.01));
        expect(code).toBe(outcome === 'regression' ? 1 : 0);
      }
    },
  );
});
