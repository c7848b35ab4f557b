import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/runs.ts';
import { type Chance, createChance } from './__fixtures__/chance.ts';
import { caseOf, runOf } from './__fixtures__/outcomes.ts';
import { analyseRun } from './analyse-run.ts';
import { statisticsSections } from './text/statistics.ts';
import { undeclaredGroups } from './undeclared-groups.ts';

/** Creates cases about documents. For each document, `rateOf` returns a function that gives the rate of each case. */
function casesOf(
  draw: Chance,
  documents: number,
  size: number,
  id: (one: number, index: number) => string,
  rateOf: () => () => number,
) {
  return Array.from({ length: documents }, (_, one) => {
    const rate = rateOf();
    return Array.from({ length: size }, (__, index) => {
      const own = rate();
      return caseOf(id(one, index), [draw.outcome(own) === 1, draw.outcome(own) === 1]);
    });
  }).flat();
}

/** Draws one rate for all cases of a document: high or low. */
const together = (draw: Chance) => () => {
  const rate = draw.outcome(0.7) === 1 ? 0.95 : 0.2;
  return () => rate;
};

describe('undeclared groups', () => {
  it.each<[string, (one: number, index: number) => string]>([
    ['invoice-3-', (one, index) => `invoice-${one}-${['total', 'date', 'seller', 'buyer', 'due'][index]}`],
    ['doc3_', (one, index) => `doc${one}_q${index}`],
    ['refund', (one, index) => `${'abcdefghijklmnopqrst'[one]}refund${index}`],
    ['3/', (one, index) => `${one}/${index}`],
    ['c.', (one, index) => `${'abcdefghijklmnopqrst'[one]}.${index}.long`],
  ])('are found by the prefix of case ids, such as %s', (_, id) => {
    const draw = createChance(1);
    const found = undeclaredGroups(casesOf(draw, 20, 5, id, together(draw)));
    expect(found).toMatchObject({ groups: 20, cases: 100 });
    expect(found?.p).toBeLessThanOrEqual(0.001);
  });

  it('are found in most runs, and hardly ever if cases are independent', () => {
    const seeds = Array.from({ length: runs(1000) }, (_, index) => index + 1);
    const share = (seeds: readonly number[], rateOf: (draw: Chance) => () => () => number) =>
      seeds.filter((seed) => {
        const draw = createChance(seed);
        return undeclaredGroups(casesOf(draw, 12, 5, (one, index) => `doc-${one}-${index}`, rateOf(draw))) !== null;
      }).length / seeds.length;
    expect(share(seeds.slice(0, 100), together)).toBeGreaterThan(0.85);
    expect(share(seeds, (draw) => () => () => draw.uniform() ** (1 / 4))).toBeLessThanOrEqual(0.005);
  });

  it('are not reported for a few topics, for ids without shared prefixes, or for runs with declared groups', () => {
    const draw = createChance(1);
    expect(undeclaredGroups(casesOf(draw, 3, 30, (one, index) => `topic${one}-${index}`, together(draw)))).toBeNull();
    expect(
      undeclaredGroups(casesOf(draw, 20, 5, (one, index) => `case-${5 * one + index}`, together(draw))),
    ).toBeNull();
    const found = casesOf(draw, 20, 5, (one, index) => `doc-${one}-${index}`, together(draw));
    expect(undeclaredGroups(found)).not.toBeNull();
    expect(undeclaredGroups(found.map((one, index) => (index === 0 ? { ...one, group: 'doc-0' } : one)))).toBeNull();
  });

  it('are mentioned once, below the numbers whose intervals they make too narrow', () => {
    const draw = createChance(1);
    const cases = casesOf(draw, 20, 5, (one, index) => `doc-${one}-${index}`, together(draw));
    const [section] = statisticsSections([analyseRun(runOf(cases))]);
    expect(section?.lines.filter((line) => line.startsWith('cases whose ids begin alike (such as doc-'))).toHaveLength(
      1,
    );
    const declared = cases.map((one) => ({ ...one, group: one.caseId.slice(0, -2) }));
    const [other] = statisticsSections([analyseRun(runOf(declared))]);
    expect(other?.lines.join()).not.toContain('begin alike');
  });
});
