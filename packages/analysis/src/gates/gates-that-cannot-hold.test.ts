import { describe, expect, it } from 'vitest';
import { caseOf, exactMatch, runOf } from '../__fixtures__/outcomes.ts';
import { gateResults } from './gate-results.ts';
import { gatesThatCannotHold } from './gates-that-cannot-hold.ts';

const alone = (count: number) => Array<null>(count).fill(null);

describe('a gate that a perfect run could not pass', () => {
  it('is named before the run, with the fewest cases that could pass it', () => {
    expect(gatesThatCannotHold({ passRate: 0.9 }, { groups: alone(30), repeats: 1 })).toEqual([
      {
        name: 'pass_rate',
        least: { cases: 35, repeats: 1 },
        text: 'pass_rate cannot hold with 30 cases and 1 repeat, even if all of them pass: it takes 35 cases, or ask for less',
      },
    ]);
    expect(gatesThatCannotHold({ passRate: 0.9 }, { groups: alone(35), repeats: 3 })).toEqual([]);
  });

  it('is not helped by more repeats if it lacks cases', () => {
    for (const repeats of [1, 3, 10]) {
      const [found] = gatesThatCannotHold({ passRate: 0.8 }, { groups: alone(10), repeats });
      expect(found?.least).toEqual({ cases: 16, repeats });
    }
  });

  it('needs more cases if they have groups', () => {
    const groups = Array.from({ length: 40 }, (_, index) => `group ${index % 8}`);
    const [found] = gatesThatCannotHold({ passRate: 0.9 }, { groups, repeats: 1 });
    expect(found?.least).toEqual({ cases: 168, repeats: 1 });
    expect(found?.text).toContain('with 40 cases in these groups and 1 repeat');
  });

  it('is reported with the number of repeats that it needs', () => {
    const gates = { passHatK: { k: 3, rate: 0.5 }, flakyShare: 0.1, casePassRate: 0.8 };
    const found = gatesThatCannotHold(gates, { groups: alone(50), repeats: 1 });
    expect(found.map(({ name, least }) => [name, least])).toEqual([
      ['pass_hat_k', { cases: 50, repeats: 3 }],
      ['flaky_share', { cases: 50, repeats: 2 }],
      ['case_pass_rate', { cases: 50, repeats: 24 }],
    ]);
  });

  it('may lack both repeats and cases', () => {
    const [found] = gatesThatCannotHold({ passHatK: { k: 3, rate: 0.9 } }, { groups: alone(20), repeats: 1 });
    expect(found?.text).toBe(
      'pass_hat_k cannot hold with 20 cases and 1 repeat, even if all of them pass: it takes 35 cases and 3 repeats (--num-runs 3), or ask for less',
    );
  });

  it('is any gate that demands certainty', () => {
    const [found] = gatesThatCannotHold({ passRate: 1 }, { groups: alone(50), repeats: 1 });
    expect(found).toMatchObject({ least: null, text: expect.stringContaining('no number of cases is enough') });
  });

  it('is only detected for a criterion whose best score is known', () => {
    const range = { min: 0, max: null, better: 'higher' } as const;
    const criteria = [
      exactMatch,
      { name: 'words', range },
      { name: 'seconds', range: { ...range, better: 'lower' } as const },
    ];
    const gates = {
      means: { exact_match: 0.9, words: 5, seconds: 3, unknown: 1 },
      quantiles: { seconds: { q: 0.95, limit: 3 } },
    };
    const found = gatesThatCannotHold(gates, { groups: alone(30), repeats: 1, criteria });
    expect(found.map(({ name, least }) => [name, least])).toEqual([
      ['means.exact_match', { cases: 35, repeats: 1 }],
      ['quantiles.seconds', { cases: 72, repeats: 1 }],
    ]);
  });

  it('is named if and only if it does not hold for such a run', () => {
    for (let cases = 1; cases < 60; cases += 3) {
      const run = runOf(Array.from({ length: cases }, (_, index) => caseOf(`case-${index}`, [true])));
      const gates = { passRate: 0.85, means: { exact_match: 0.8 }, cost: undefined };
      const holding = gateResults(run, gates, null).flatMap(({ name, holds }) => (holds === true ? [] : [name]));
      const size = { groups: alone(cases), repeats: 1, criteria: [exactMatch] };
      expect(gatesThatCannotHold(gates, size).map(({ name }) => name)).toEqual(holding);
    }
  });
});
