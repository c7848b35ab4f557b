import { expect, it } from 'vitest';
import { caseOf, exactMatch, runOf } from './__fixtures__/outcomes.ts';
import { analyseRun } from './analyse-run.ts';
import type { RunOutcomes } from './run-outcomes.ts';
import { trendRun, trendsOf } from './trends.ts';

const cases = (passed: number, of = 10) =>
  Array.from({ length: of }, (_, index) => caseOf(`c${index}`, [index < passed]));
const run = (startedAt: number, passed: number, more: Partial<RunOutcomes> = {}) =>
  runOf(cases(passed), { id: `run-${startedAt}`, startedAt, ...more });
const trends = (...runs: readonly RunOutcomes[]) => trendsOf(runs.map((one) => trendRun(one)));

it('a trend has every number of every run in chronological order, with that run’s own interval', () => {
  const [first, second] = [run(1, 9), run(2, 6)];
  const found = trends(second, first);
  expect(found.map(({ name, points }) => [name, points.map(({ value }) => value)])).toEqual([
    ['pass rate', [0.9, 0.6]],
    ['exact_match', [0.9, 0.6]],
  ]);
  expect(found[1]?.points[0]).toMatchObject({
    run: 'run-1',
    interval: analyseRun(first).criteria[0]?.interval,
    cases: 10,
    breaks: [],
    notes: [],
  });
});

it('a trend breaks if options, judge, threshold or mode differ, and names the reason', () => {
  const other = (more: Partial<typeof exactMatch>) => ({ criteria: [{ ...exactMatch, ...more }] });
  const [rate, match] = trends(
    run(1, 9),
    run(2, 9, other({ options: 'others' })),
    run(3, 9, other({ options: 'others', judges: ['m'] })),
    run(4, 9, other({ options: 'others', judges: ['m'], threshold: 0.5 })),
    run(5, 9, { ...other({ options: 'others', judges: ['m'], threshold: 0.5 }), compat: 'adk' }),
    run(6, 9, { ...other({ options: 'others', judges: ['m'], threshold: 0.5 }), compat: 'adk' }),
  );
  expect(match?.points.map(({ breaks }) => breaks)).toEqual([
    [],
    ['its options differ between the runs'],
    ['its judge was not recorded, and is m'],
    ['its threshold was 1 and is 0.5'],
    ['only one of the runs counts as ADK does (compat)'],
    [],
  ]);
  expect(rate?.points.map(({ breaks }) => breaks.length)).toEqual([0, 1, 1, 1, 1, 0]);
});

it('a trend notes changed cases and agents, which do not prevent a comparison', () => {
  const changed = [
    caseOf('c0', [true], { asked: 'other' }),
    caseOf('c1', [true], { version: 'other' }),
    ...cases(2, 9).slice(2),
    caseOf('new', [true]),
  ];
  const [rate] = trends(run(1, 9), runOf(changed, { id: 'run-2', startedAt: 2, agent: 'other.ts' }));
  expect(rate?.points[1]).toMatchObject({
    breaks: [],
    notes: [
      'the agent was agent.ts and is other.ts',
      '1 case is new',
      '1 case is gone',
      '1 case asks the agent something else',
      '1 case changed in what is expected or how it is judged',
    ],
  });
});

it('a trend keeps points that could not be judged, without a value', () => {
  const [, match] = trends(run(1, 9), runOf([caseOf('c0', [null])], { id: 'run-2', startedAt: 2 }), run(3, 9));
  expect(match?.points.map(({ value, unjudged }) => [value, unjudged])).toEqual([
    [0.9, 0],
    [null, 1],
    [0.9, 0],
  ]);
});

it('trends are separate for each variant, and a criterion has points only where it ran', () => {
  const second = { ...exactMatch, name: 'other', decides: false, threshold: null };
  const found = trends(
    run(1, 9, { variant: 'fast' }),
    run(1, 5, { variant: 'slow' }),
    run(2, 8, { variant: 'fast', criteria: [exactMatch, second] }),
  );
  expect(found.map(({ name, variant, points }) => [name, variant, points.length])).toEqual([
    ['pass rate', 'fast', 2],
    ['pass rate', 'slow', 1],
    ['exact_match', 'fast', 2],
    ['exact_match', 'slow', 1],
    ['other', 'fast', 1],
  ]);
});

it('a trend breaks if only one of two runs stops cases early', () => {
  const stoppedEarly = {
    casePassRate: 0.8,
    most: 60,
    cases: 10,
    stopped: 10,
    repeats: { ran: 50, of: 600 },
    calls: { made: 0, saved: 0 },
  };
  const found = trends(run(1, 9), run(2, 9, { stoppedEarly }), run(3, 9, { stoppedEarly }));
  for (const { points } of found) {
    expect(points.map(({ breaks }) => breaks)).toEqual([[], [expect.stringContaining('did not stop cases early')], []]);
  }
});
