import { describe, expect, it } from 'vitest';
import { caseOf, exactMatch, runOf, runOfPasses } from '../__fixtures__/outcomes.ts';
import { analyseRun } from '../analyse-run.ts';
import type { RunOutcomes } from '../run-outcomes.ts';
import { briefStatistics, statisticsSections } from './statistics.ts';

const lines = (run: RunOutcomes) => briefStatistics([analyseRun(run)]).flatMap((section) => section.lines);
const passes = (count: number) => Array.from({ length: count }, (_, index) => [index % 5 !== 0, true]);
const judged = (names: readonly string[], count: number) => {
  const cases = Array.from({ length: count }, (_, index) => caseOf(`case-${index}`, [true]));
  const criteria = names.map((name) => ({ ...exactMatch, name }));
  const instruments = names.map((criterion) => {
    return { criterion, options: 'hash', origin: 'p 1', prompts: ['one'], judges: ['a-model'] };
  });
  return runOf(cases, { criteria: [exactMatch, ...criteria], instruments });
};

describe('brief statistics', () => {
  it('have a single line for few cases: the pass rate with its interval', () => {
    const [line, ...others] = lines(runOfPasses(passes(10)));
    expect(line).toMatch(
      /^pass rate over repeats 90% \(95% confidence interval \d+ to \d+%\), 10 cases, 2 repeats each$/,
    );
    expect(others).toEqual([]);
  });

  it('have every line for many cases', () => {
    const run = runOfPasses(passes(40));
    expect(briefStatistics([analyseRun(run)])).toEqual(statisticsSections([analyseRun(run)]));
    expect(lines(run).length).toBeGreaterThan(2);
  });

  it('count judges without a measurement in one line', () => {
    expect(lines(judged(['polite'], 3)).slice(1)).toEqual([
      'the judge was never measured: see agent-criteria calibrate',
    ]);
    expect(lines(judged(['polite', 'kind'], 3)).slice(1)).toEqual([
      '2 judges were never measured: see agent-criteria calibrate',
    ]);
  });

  it('have a line for each variant, and one for their judges', () => {
    const analyses = ['fast', 'slow'].map((variant) => analyseRun({ ...judged(['polite'], 3), variant }));
    expect(briefStatistics(analyses)).toEqual([
      { variant: 'fast', lines: [expect.stringMatching(/^pass rate 100%/)] },
      { variant: 'slow', lines: [expect.stringMatching(/^pass rate 100%/)] },
      { lines: ['the judge was never measured: see agent-criteria calibrate'] },
    ]);
  });
});
