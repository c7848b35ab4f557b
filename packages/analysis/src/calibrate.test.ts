import type { Label } from '@agent-criteria/results';
import { cohenKappa, gwetAC1, isUnknown } from '@agent-criteria/statistics';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ac1Of, agreementOf, kappaOf, tableOf } from './agreement.ts';
import { calibrate } from './calibrate.ts';
import { correctedRate } from './corrected-rate.ts';
import type { Judged, Judgement } from './judgements.ts';

type Verdict = boolean | null;

const judgement = (caseId: string, passed: Verdict, more: Partial<Judgement> = {}): Judgement => ({
  setId: 'home',
  caseId,
  group: null,
  repeat: 0,
  turn: 0,
  criterion: 'polite',
  rubric: null,
  passed,
  reason: `the judge on ${caseId}`,
  ...more,
});

const label = (caseId: string, passed: boolean, more: Partial<Label> = {}): Label => ({
  setId: 'home',
  caseId,
  repeat: 0,
  turn: 0,
  criterion: 'polite',
  rubric: null,
  label: passed ? 'pass' : 'fail',
  reason: null,
  by: 'ada',
  at: 1,
  ...more,
});

const judgedBy = (judgements: readonly Judgement[]): Judged => ({
  judgements,
  instruments: [{ criterion: 'polite', options: 'o', origin: 'p 1', prompts: ['polite/1'], judges: ['m'] }],
});

/** So many cases: what the judge says, and what people say of it. */
function cases(...counts: readonly (readonly [count: number, judge: Verdict, people: boolean | null])[]) {
  const all = counts.flatMap(([count, judge, people]) => Array.from({ length: count }, () => ({ judge, people })));
  return {
    judged: judgedBy(all.map(({ judge }, index) => judgement(`case-${index}`, judge))),
    labels: all.flatMap(({ people }, index) => (people === null ? [] : [label(`case-${index}`, people)])),
  };
}

describe('a judge against labels', () => {
  it('agrees by raw share, kappa and AC1, each with an interval', () => {
    // The table of the golden rows of agreement: 88%, kappa 0.595, AC1 0.830.
    const { judged, labels } = cases([78, true, true], [5, true, false], [7, false, true], [10, false, false]);
    const [kind] = calibrate(judged, labels).kinds;
    expect(kind?.table).toEqual({ bothPass: 78, judgePassesOnly: 5, peoplePassOnly: 7, bothFail: 10 });
    expect(kind?.raw.value).toBeCloseTo(0.88);
    expect(kind?.kappa.value).toBeCloseTo(0.554, 2);
    expect(kind?.ac1.value).toBeCloseTo(0.835, 2);
    expect(kind?.kappa.interval).toMatchObject({ low: expect.closeTo(0.33, 1), high: expect.closeTo(0.74, 1) });
    expect(kind?.beyondChance).toBe(true);
    expect(kind?.statement).toBe(
      'polite: judge and people agree on 88% (80 to 93%) of 100 labelled answers, kappa 0.554: more than chance would explain.',
    );
  });

  it('warns where nearly all verdicts are the same: kappa is low although 96% agree', () => {
    const { judged, labels } = cases([95, true, true], [2, true, false], [2, false, true], [1, false, false]);
    const [kind] = calibrate(judged, labels).kinds;
    expect(kind?.kappa.value).toBeCloseTo(0.313, 2);
    expect(kind?.ac1.value).toBeCloseTo(0.957, 2);
    expect(kind?.warnings[0]).toMatch(/^97% of the verdicts are "pass": kappa is then low/);
    expect(kind?.warnings[1]).toMatch(/^people say "fail" only 3 times/);
  });

  it('that decides at random is not shown to exceed chance', () => {
    const { judged, labels } = cases([15, true, true], [15, true, false], [15, false, true], [15, false, false]);
    const [kind] = calibrate(judged, labels).kinds;
    expect(kind?.kappa.value).toBe(0);
    expect(kind?.beyondChance).toBe(false);
    expect(kind?.warnings).toContain('agreement with people has not been shown to exceed chance');
    expect(kind?.statement).toMatch(/not shown to exceed chance\.$/);
  });

  it('with few labels is unknown, and says how many are needed', () => {
    const { judged, labels } = cases([6, true, true], [2, false, false], [40, true, null]);
    const [kind] = calibrate(judged, labels).kinds;
    const few = { unknown: '8 labelled cases are too few: at least 20 are needed' };
    expect(kind?.kappa).toEqual({ value: 1, interval: few });
    expect(kind?.beyondChance).toBeNull();
    expect(kind?.passRate).toMatchObject({ corrected: few, plain: few, moreLabels: few });
    expect(kind?.raw.interval).toMatchObject({ high: 1 });
  });

  it('that agrees on everything has no interval of width 0', () => {
    const { judged, labels } = cases([30, true, true], [12, false, false], [60, true, null], [18, false, null]);
    const [kind] = calibrate(judged, labels).kinds;
    expect(kind?.kappa).toMatchObject({
      value: 1,
      interval: { unknown: expect.stringContaining('all labelled cases agree') },
    });
    expect(kind?.beyondChance).toBe(true);
    expect(kind?.passRate.corrected).toMatchObject({ method: 'bounds', value: 0.75 });
    const { corrected } = kind?.passRate ?? {};
    if (corrected === undefined || isUnknown(corrected)) throw new Error('it is unknown');
    expect(corrected.high - corrected.low).toBeGreaterThan(0.3);
  });

  it('lists where they differ, with both reasons', () => {
    const { judged, labels } = cases([3, true, true], [1, true, false]);
    const more = [...labels, label('case-3', false, { by: 'ben', reason: 'It is rude.' })];
    expect(calibrate(judged, more).kinds[0]?.differences).toMatchObject([
      {
        caseId: 'case-3',
        judge: 'pass',
        people: 'fail',
        judgeReason: 'the judge on case-3',
        opinions: [
          { by: 'ada', label: 'fail', reason: null },
          { by: 'ben', label: 'fail', reason: 'It is rude.' },
        ],
      },
    ]);
  });

  it('keeps criteria, rubrics, turns and whole cases apart', () => {
    const rubric = { rubric: 'kind' };
    const whole = { criterion: null, turn: null };
    const judged = judgedBy([judgement('a', true), judgement('a', false, rubric), judgement('a', false, whole)]);
    const { kinds, unmatched } = calibrate(judged, [
      label('a', true, rubric),
      label('a', false, whole),
      label('b', false),
    ]);
    expect(kinds.map(({ criterion, rubric, unit, table }) => [criterion, rubric, unit, table.bothFail])).toEqual([
      ['polite', 'kind', 'turn', 0],
      [null, null, 'conversation', 1],
    ]);
    expect(kinds.map(({ instrument }) => instrument?.prompts)).toEqual([['polite/1'], undefined]);
    expect(unmatched).toBe(1);
  });

  it('takes the majority of several people, leaves ties out, and says how people agree with each other', () => {
    const judged = judgedBy(['a', 'b', 'c'].map((caseId) => judgement(caseId, true)));
    const say = (by: string, a: boolean, b: boolean) => [label('a', a, { by }), label('b', b, { by })];
    const labels = [...say('ada', true, true), ...say('ben', true, false), ...say('cleo', false, true)];
    const [kind] = calibrate(judged, [...labels, label('c', true), label('c', false, { by: 'ben' })]).kinds;
    expect(kind).toMatchObject({ things: 2, ties: 1, unjudged: 0, table: { bothPass: 2 } });
    expect(kind?.amongPeople).toMatchObject({ things: 3, raw: { value: 0 } });
    expect(calibrate(judged, [label('a', true)]).kinds[0]?.amongPeople).toBeNull();
  });

  it('leaves out what the judge could not judge, and counts it', () => {
    const { judged, labels } = cases([3, true, true], [2, null, true]);
    expect(calibrate(judged, labels).kinds[0]).toMatchObject({
      things: 3,
      unjudged: 2,
      passRate: { judge: { unjudged: 2, bounds: { worst: 0.6, best: 1 } } },
    });
  });

  it('counts cases of one group, and repeats of one case, as one', () => {
    const two = Array.from({ length: 30 }, (_, index) => [
      judgement(`a-${index}`, true, { group: `g-${index % 15}` }),
      judgement(`a-${index}`, true, { group: `g-${index % 15}`, repeat: 1 }),
    ]).flat();
    const labels = two.map(({ caseId, repeat }) => label(caseId, true, { repeat }));
    expect(calibrate(judgedBy(two), labels).kinds[0]).toMatchObject({ things: 60, cases: 15 });
  });
});

describe('the pass rate by labels', () => {
  it('is corrected towards what people say, with a wider interval than the raw one', () => {
    const { judged, labels } = cases(
      [60, true, true],
      [24, true, false],
      [4, false, true],
      [12, false, false],
      [336, true, null],
      [64, false, null],
    );
    const rate = calibrate(judged, labels).kinds[0]?.passRate;
    expect(rate?.judge.value).toBeCloseTo(0.84);
    // 0.84 of the unlabelled pass; people let pass 20 of 100 fewer.
    expect(rate?.plain).toMatchObject({ value: expect.closeTo(0.64), method: 'ppi', labelled: 100, unlabelled: 400 });
    expect(rate?.corrected).toMatchObject({ method: 'ppi-cross-fit' });
    const { corrected, people, judge } = rate ?? {};
    if (corrected === undefined || !('value' in corrected) || people === undefined) throw new Error('it is unknown');
    expect(corrected.value).toBeLessThan(judge?.value as number);
    expect(corrected.value).toBeCloseTo(people.value as number, 1);
    expect(rate?.moreLabels).toBeGreaterThan(100);
  });

  it('is by plain PPI with fewer than 60 labelled cases', () => {
    const { judged, labels } = cases(
      [20, true, true],
      [5, true, false],
      [5, false, false],
      [70, true, null],
      [30, false, null],
    );
    const rate = calibrate(judged, labels).kinds[0]?.passRate;
    expect(rate?.corrected).toMatchObject({ method: 'ppi', value: expect.closeTo(0.7 - 5 / 30) });
    expect(rate?.corrected).toEqual(rate?.plain);
  });

  it('needs cases that only the judge saw', () => {
    const { judged, labels } = cases([30, true, true], [3, true, false], [7, false, false]);
    expect(calibrate(judged, labels).kinds[0]?.passRate.corrected).toEqual({
      unknown: 'all cases are labelled, so use the rate by people',
    });
  });
});

const pairs = fc.array(fc.record({ judge: fc.boolean(), people: fc.boolean() }), { minLength: 1, maxLength: 60 });

describe('for any labels', () => {
  it('agreement is that of the statistics, within -1 and 1, with the interval around it', () => {
    fc.assert(
      fc.property(pairs, (all) => {
        const own = all.map((pair, index) => ({ ...pair, cluster: String(index) }));
        const found = agreementOf(own, 0.95);
        const kappa = cohenKappa({
          a: all.map((p) => p.people),
          b: all.map((p) => p.judge),
          categories: [true, false],
        });
        const ac1 = gwetAC1(
          all.map((p) => [p.judge, p.people]),
          [true, false],
        );
        const table = tableOf(own);
        expect(kappaOf(table) ?? 'none').toEqual(isUnknown(kappa) ? 'none' : expect.closeTo(kappa.kappa, 9));
        expect(ac1Of(table)).toEqual(isUnknown(ac1) ? null : expect.closeTo(ac1.ac1, 9));
        for (const { value, interval } of [found.kappa, found.ac1]) {
          if (isUnknown(value)) continue;
          expect(Math.abs(value)).toBeLessThanOrEqual(1);
          if (isUnknown(interval)) continue;
          expect(interval.low).toBeGreaterThanOrEqual(-1);
          expect(interval.high).toBeLessThanOrEqual(1 + 1e-12);
          expect(interval.low).toBeLessThan(interval.high);
        }
      }),
      { numRuns: 20 },
    );
  });

  it('the corrected rate and its ends are shares, in order, and permuting cases changes nothing', () => {
    const things = fc.array(fc.record({ judge: fc.option(fc.boolean()), people: fc.option(fc.boolean()) }), {
      minLength: 40,
      maxLength: 200,
    });
    fc.assert(
      fc.property(things, (all) => {
        const own = all.map((one, index) => ({ ...one, cluster: String(index) }));
        const { corrected, plain } = correctedRate(own, 0.95);
        for (const rate of [corrected, plain]) {
          if (isUnknown(rate)) continue;
          expect(rate.low).toBeGreaterThanOrEqual(0);
          expect(rate.value).toBeGreaterThanOrEqual(rate.low);
          expect(rate.high).toBeGreaterThanOrEqual(rate.value);
          expect(rate.high).toBeLessThanOrEqual(1);
        }
        const turned = correctedRate(own.toReversed(), 0.95).corrected;
        expect(isUnknown(turned)).toBe(isUnknown(corrected));
        if (!isUnknown(turned) && !isUnknown(corrected)) expect(turned.value).toBeCloseTo(corrected.value, 9);
      }),
      { numRuns: 40 },
    );
  });
});
