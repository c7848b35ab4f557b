import { describe, expect, it } from 'vitest';
import { caseOf, exactMatch, runOf } from './__fixtures__/outcomes.ts';
import { analyseRun } from './analyse-run.ts';
import { gateResults } from './gates/gate-results.ts';
import type { Instrument } from './instrument.ts';
import { type MeasuredAgreement, type MeasuredNoise, measuredFile } from './measured.ts';
import type { RunOutcomes } from './run-outcomes.ts';
import { statisticsSections } from './text/statistics.ts';

const instrument = (criterion: string): Instrument => ({
  criterion,
  options: 'hash',
  origin: 'p 1',
  prompts: ['polite/1'],
  judges: ['judge-a'],
});
const measured = (criterion: string) => ({ ...instrument(criterion), run: 'r', date: '2026-11-01T00:00:00.000Z' });
const agreement = (more: Partial<MeasuredAgreement> = {}): MeasuredAgreement => ({
  ...measured('polite'),
  measured: 'agreement',
  rubric: null,
  unit: 'turn',
  people: 1,
  things: 60,
  cases: 60,
  table: { bothPass: 40, judgePassesOnly: 5, peoplePassOnly: 5, bothFail: 10 },
  agreement: { value: 0.83, low: 0.7, high: 0.9 },
  kappa: { value: 0.55, low: 0.3, high: 0.8 },
  ac1: { value: 0.7, low: 0.5, high: 0.9 },
  beyondChance: true,
  ...more,
});
const noise = (judgeSd: number | null): MeasuredNoise => ({
  ...measured('polite'),
  measured: 'noise',
  repeats: 5,
  cases: 20,
  flipped: { value: 0.2, low: 0.1, high: 0.3 },
  judgeSd,
  differenceFloor: 0.1,
});

/** Creates one case per score, with one or more judged criteria. */
function judgedRun(names = ['polite'], scores = [1, 0.9, 0.2, 1], more: Partial<RunOutcomes> = {}): RunOutcomes {
  const cases = scores.map((score, index) =>
    caseOf(`case-${index}`, [score >= 0.5], {
      criteria: names.map((name) => ({ name, verdict: 'passed', score, coverage: 1, scores: [score] })),
    }),
  );
  const criteria = names.map((name) => ({ ...exactMatch, name, threshold: 0.5 }));
  return runOf(cases, { criteria, instruments: names.map(instrument), ...more });
}

/** Returns the statistics lines about judges. */
const said = (run: RunOutcomes, ...entries: (MeasuredAgreement | MeasuredNoise)[]) =>
  statisticsSections([analyseRun(run, { measured: [measuredFile(entries)] })])
    .flatMap(({ lines }) => lines)
    .filter((line) => line.includes('judge'));

describe('judges of a run', () => {
  it('are named in one sentence if they were never measured, and are absent for criteria without a judge', () => {
    expect(said(judgedRun(['polite']))).toEqual([
      'the judge of polite was never measured: see agent-criteria calibrate',
    ]);
    expect(said(judgedRun(['polite', 'kind', 'short']))).toEqual([
      'the judges of polite, kind and short were never measured: see agent-criteria calibrate',
    ]);
    expect(said(judgedRun(['polite'], undefined, { instruments: undefined }))).toEqual([]);
    expect(analyseRun(judgedRun(['polite'], undefined, { instruments: undefined }))).not.toHaveProperty('judges');
  });

  it('need no remark if they were measured with their current settings and agree with people', () => {
    expect(said(judgedRun(), agreement())).toEqual([]);
  });

  it('count as unmeasured if measured with another model, prompt or options, and the difference is named', () => {
    for (const [other, words] of [
      [{ judges: ['judge-b'] }, 'measured with judge-b; this run used judge-a'],
      [{ prompts: ['polite/0'] }, 'measured with the prompt polite/0; this run used polite/1'],
      [{ options: 'other' }, 'measured with different options of the criterion'],
    ] as const) {
      expect(said(judgedRun(), agreement(other))).toEqual([`the judge of polite was ${words}: measure it again`]);
    }
    const unknown = judgedRun(['polite'], undefined, { instruments: [{ ...instrument('polite'), judges: [] }] });
    expect(said(unknown, agreement())).toEqual([
      'the judge of polite was measured with judge-a; this run used an unknown model: measure it again',
    ]);
  });

  it('count as measured if they have a valid measurement besides an outdated one', () => {
    expect(said(judgedRun(), agreement({ judges: ['judge-b'] }), agreement())).toEqual([]);
  });

  it('are flagged if the newest measurement of any rubric shows no agreement beyond chance', () => {
    const poor = { beyondChance: false, kappa: { value: 0.1, low: -0.1, high: 0.3 } };
    expect(said(judgedRun(), agreement(poor))).toEqual([
      'the judge of polite has not been shown to agree with people more than chance would (kappa 0.1, -0.1 to 0.3; 60 labelled cases)',
    ]);
    // Measured on public data: barely beyond chance, and usually wrong.
    const wrong = {
      table: { bothPass: 17, judgePassesOnly: 0, peoplePassOnly: 744, bothFail: 244 },
      agreement: { value: 0.26, low: 0.23, high: 0.29 },
      kappa: { value: 0.0108, low: 0.005, high: 0.02 },
      ac1: { value: -0.43, low: -0.5, high: -0.36 },
      cases: 1005,
    };
    expect(said(judgedRun(), agreement(wrong))).toEqual([
      'the judge of polite agrees with people on only 26%, less often than two who decide at random (AC1 -0.43; 1005 labelled cases)',
    ]);
    const majority = { verdict: 'pass', share: 0.9 } as const;
    expect(said(judgedRun(), agreement({ majority }))).toEqual([
      'the judge of polite agrees with people only slightly (kappa 0.55, 0.3 to 0.8; 60 labelled cases; "pass" for everything would agree as often)',
    ]);
    const newer = agreement({ date: '2026-11-02T00:00:00.000Z' });
    const ofRubric = agreement({ ...poor, rubric: 'thanks', kappa: { value: null, low: null, high: null } });
    expect(said(judgedRun(), agreement(poor), newer, ofRubric)).toEqual([
      'the judge of polite, rubric thanks, has not been shown to agree with people more than chance would (60 labelled cases)',
    ]);
  });

  it('are reported as not compared with people if only their noise was measured', () => {
    expect(said(judgedRun(), noise(0))).toEqual([
      'how far the judge of polite agrees with people was never measured: see agent-criteria calibrate',
    ]);
  });

  it('are flagged if their noise may move cases across the threshold', () => {
    const run = judgedRun(['polite'], [1, 0.6, 0.45, 0.1]);
    expect(said(run, agreement(), noise(0.1))).toEqual([
      '2 of 4 cases score within 0.196 of the threshold 0.5, which is within the noise of the judge of polite: judged again, they could get another verdict',
    ]);
    expect(said(judgedRun(), agreement(), noise(0.1))).toEqual([]);
    expect(said(run, agreement(), noise(0))).toEqual([]);
    expect(said(run, agreement(), noise(null))).toEqual([]);
  });

  it('are named once for several variants, outside of any variant', () => {
    const variants = ['fast', 'slow'].map((variant) => analyseRun({ ...judgedRun(), variant }));
    const sections = statisticsSections(variants);
    expect(sections.map(({ variant }) => variant)).toEqual(['fast', 'slow', undefined]);
    expect(sections[2]?.lines).toEqual(['the judge of polite was never measured: see agent-criteria calibrate']);
  });
});

describe('gates that depend on a judge', () => {
  const gates = { passRate: 0.1, means: { polite: 0.1, exact: 0.1 } };
  const texts = (run: RunOutcomes, ...entries: MeasuredAgreement[]) =>
    gateResults(run, gates, null, { measured: [measuredFile(entries)] }).map(({ text }) => text.split('; ').slice(2));
  const withExact = (polite: Partial<RunOutcomes['criteria'][number]> = {}) => {
    const run = judgedRun(['polite']);
    const exact = { ...exactMatch, name: 'exact' };
    return { ...run, criteria: [...run.criteria.map((one) => ({ ...one, ...polite })), exact] };
  };

  it('mention a judge that was never measured', () => {
    const never = 'rests on a judge that was never measured: see agent-criteria calibrate';
    expect(texts(withExact())).toEqual([[never], [never], []]);
    expect(texts(withExact(), agreement())).toEqual([[], [], []]);
    // A criterion that does not decide has no effect on the pass rate.
    expect(texts(withExact({ decides: false }))).toEqual([[], [never], []]);
  });

  it('mention a judge that was measured but hardly agrees with people', () => {
    const passRate = (more: Partial<MeasuredAgreement>) => texts(withExact(), agreement(more))[0];
    const zero = { beyondChance: false, kappa: { value: 0.05, low: -0.1, high: 0.2 } };
    expect(passRate(zero)).toEqual(['rests on a judge without useful agreement with people']);
    expect(passRate({ kappa: { value: 0.2, low: 0.1, high: 0.3 } })).toEqual([
      'rests on a judge that agrees with people only slightly',
    ]);
    expect(passRate({ beyondChance: null, kappa: { value: 1, low: null, high: null } })).toEqual([
      'rests on a judge with too few labels to say whether it agrees with people',
    ]);
    expect(passRate({})).toEqual([]);
  });

  it('mention a judge that was measured with other settings', () => {
    const [passRate] = texts(withExact(), agreement({ judges: ['judge-b'] }));
    expect(passRate?.join('; ')).toBe('rests on a judge that was measured with judge-b; this run used judge-a');
  });
});
