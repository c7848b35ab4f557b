import type { RunCall, RunCase } from '@agent-criteria/results';
import { createRandom } from '@agent-criteria/statistics';
import { describe, expect, it } from 'vitest';
import { allRuns } from '../../../test/runs.ts';
import { runOfPasses } from './__fixtures__/outcomes.ts';
import { analyseRun } from './analyse-run.ts';
import { baselineFile, readBaseline } from './baseline.ts';
import { compareRuns } from './compare-runs.ts';
import { caseStatus } from './gates/case-pass-rate-gate.ts';
import { gateResults } from './gates/gate-results.ts';
import { collectStopped } from './stopped-early.ts';
import { statisticsSections } from './text/statistics.ts';

const MOST = 60;
const RATE = 0.8;

/** Simulates cases with a given pass probability until each is decided, in a run of `ofRun` cases. */
function simulated(probability: number, cases: number, seed: number, ofRun: number) {
  const random = createRandom(seed);
  let repeats = 0;
  const ended = { above: 0, below: 0, undecided: 0 };
  for (let one = 0; one < cases; one++) {
    const passes: { readonly passed: boolean }[] = [];
    let standing: keyof typeof ended = 'undecided';
    while (standing === 'undecided' && passes.length < MOST) {
      passes.push({ passed: random() / 2 ** 32 < probability });
      standing = caseStatus({ repeats: passes }, RATE, ofRun);
    }
    repeats += passes.length;
    ended[standing] += 1;
  }
  const share = (count: number) => count / cases;
  return {
    repeats: repeats / cases,
    above: share(ended.above),
    below: share(ended.below),
    undecided: share(ended.undecided),
  };
}

describe('early stopping at a rate of 80% with at most 60 repeats', () => {
  const cases = allRuns ? 4000 : 200;

  it.each([
    [0.3, 10, 1, 0.95],
    [0.3, 15, 40, 0.95],
    [0.5, 25, 1, 0.95],
    [0.5, 40, 40, 0.8],
    [0.99, 35, 40, 0.95],
  ])(
    'decides a case with pass probability %d within %d repeats on average, in a run of %d, and rarely wrongly',
    (p, most, ofRun, decided) => {
      const { repeats, above, below } = simulated(p, cases, 1, ofRun);
      expect(repeats).toBeLessThanOrEqual(most);
      expect(p < RATE ? above : below).toBeLessThanOrEqual(0.05);
      expect(p < RATE ? below : above).toBeGreaterThan(decided);
    },
  );

  it.each([0.7, 0.8, 0.9])('leaves most cases with pass probability %d undecided', (p) => {
    const { undecided, above, below } = simulated(p, cases, 2, 1);
    expect(undecided).toBeGreaterThan(0.6);
    if (p <= RATE) expect(above).toBeLessThanOrEqual(0.05);
    if (p >= RATE) expect(below).toBeLessThanOrEqual(0.05);
  });
});

it('the gate is wrong in at most 5% of runs whose cases all pass as often as it requires, for any number of cases', () => {
  const cases = 40;
  const runs = allRuns ? 400 : 40;
  let wrong = 0;
  for (let run = 0; run < runs; run++) if (simulated(RATE, cases, 100 + run, cases).below > 0) wrong += 1;
  expect(wrong / runs).toBeLessThanOrEqual(0.05);
});

/** Creates a case whose repeats have one live and one cached call each. */
function caseOf(repeats: number): Pick<RunCase, 'result' | 'calls'> {
  const all = Array.from({ length: repeats }, (_, repeat) => repeat);
  const units = all.map((repeat) => {
    return { repeat, sessionId: 's', ending: { by: 'user' }, verdict: 'passed', criteria: [] } as const;
  });
  const calls = all.flatMap((repeat) => [callOf(repeat, 'live'), callOf(repeat, 'cache')]);
  return { result: { setId: 'set', caseId: 'case', verdict: 'passed', criteria: [], units }, calls };
}

function callOf(repeat: number, from: 'live' | 'cache'): RunCall {
  const key = { setId: 'set', caseId: 'case', repeat };
  const what = { role: 'criterion', caller: 'exact_match', turn: 0, sample: 0, target: 'model', request: '' } as const;
  return { key, ...what, from, startedAt: 0, endedAt: 0 };
}

describe('savings from stopping early', () => {
  const stopped = (repeats: readonly number[]) => {
    const collected = collectStopped({ repeats: MOST, auto: { casePassRate: RATE } });
    for (const own of repeats) collected?.add(caseOf(own));
    return collected?.result();
  };
  const lines = (repeats: readonly number[], more: Parameters<typeof runOfPasses>[1] = {}) => {
    const run = runOfPasses(
      repeats.map((own) => Array(own).fill(true)),
      { stoppedEarly: stopped(repeats), ...more },
    );
    return statisticsSections([analyseRun(run)]).flatMap((section) => section.lines);
  };

  it('are counted by case, as the repeats that did not run and the calls that they would have made', () => {
    expect(stopped([24, 60, 3])).toEqual({
      casePassRate: 0.8,
      most: 60,
      cases: 3,
      stopped: 2,
      repeats: { ran: 87, of: 180 },
      calls: { made: 87, saved: 93 },
    });
    expect(collectStopped({ repeats: 3 })).toBeUndefined();
  });

  it('are mentioned first, even for a single case, but not for an unfinished run', () => {
    const [saved, caution, ...rest] = lines([24, 60, 3]);
    expect(saved).toBe(
      'auto stopped 2 of 3 cases early: 87 of 180 repeats ran, which saved about 93 calls to models and services',
    );
    expect(caution).toContain('tend to look further from 80% than they are');
    // If cases stop because of their results, neither is known.
    expect(rest.join()).not.toMatch(/pass\^|two runs/);
    expect(lines([60])).toEqual(['auto stopped none of 1 case early: 60 of 60 repeats ran']);
    expect(lines([24, 60], { finished: false })).toEqual([]);
  });

  it('numbers that depend on passing are not compared if only one run stopped early', () => {
    const cases = Array.from({ length: 20 }, () => [true, false, true]);
    const [fixed, early] = [runOfPasses(cases), runOfPasses(cases, { stoppedEarly: stopped([3, 60]) })];
    const { outcome, notCompared } = compareRuns(fixed, early);
    expect(outcome).toBe('nothing-compared');
    expect(notCompared.map(({ name }) => name)).toEqual(['pass rate', 'exact_match']);
    expect(notCompared[0]?.why).toContain('did not stop cases early by the same rule');
    expect(gateResults(early, { regression: true }, fixed)).toMatchObject([
      {
        name: 'regression',
        holds: null,
        text: expect.stringContaining('(pass rate: the runs did not stop cases early by the same rule'),
      },
    ]);
    const read = readBaseline(JSON.parse(JSON.stringify(baselineFile(early))), 'baseline.json');
    expect(compareRuns(read, early)).toMatchObject({ outcome: 'no-change', notCompared: [] });
  });

  it('the gate names the cases that ended without a result', () => {
    const mixed = [...Array(48).fill(true), ...Array(12).fill(false)];
    const run = runOfPasses([Array(24).fill(true), mixed], { stoppedEarly: stopped([24, 60]) });
    expect(gateResults(run, { casePassRate: RATE }, null)).toEqual([
      {
        name: 'case_pass_rate',
        holds: null,
        text: '60 repeats are too few to tell for 1 of 2 cases (case-1); the gate requires at least 80% in every case',
      },
    ]);
    // Under different criteria from those that stopped it, a case may be undecided again.
    const lenient = runOfPasses([[true, true, true], mixed], { stoppedEarly: stopped([3, 60]) });
    expect(gateResults(lenient, { casePassRate: RATE }, null)[0]?.text).toMatch(
      /^too few repeats to tell for 2 of 2 cases \(case-0, case-1\); the gate requires at least 80% /,
    );
    const failing = runOfPasses([Array(4).fill(false), mixed], { stoppedEarly: stopped([4, 60]) });
    expect(gateResults(failing, { casePassRate: RATE }, null)).toMatchObject([
      {
        holds: false,
        text: expect.stringMatching(
          /^1 of 2 cases passes too rarely \(case-0\); 60 repeats .* \(case-1\); the gate requires at least 80% /,
        ),
      },
    ]);
  });
});
