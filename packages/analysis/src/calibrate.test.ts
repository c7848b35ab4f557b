import type { Label } from '@agent-criteria/results';
import { cohenKappa, gwetAC1, isUnknown, type Unknown } from '@agent-criteria/statistics';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { agreementOf } from './agreement.ts';
import { calibrate } from './calibrate.ts';
import type { Judged, Judgement } from './judgements.ts';
import { verdictStrata } from './verdict-strata.ts';

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

/** For each entry, creates `count` cases with the given verdicts by judge and people. */
function cases(...counts: readonly (readonly [count: number, judge: Verdict, people: boolean | null])[]) {
  const all = counts.flatMap(([count, judge, people]) => Array.from({ length: count }, () => ({ judge, people })));
  return {
    judged: judgedBy(all.map(({ judge }, index) => judgement(`case-${index}`, judge))),
    labels: all.flatMap(({ people }, index) => (people === null ? [] : [label(`case-${index}`, people)])),
  };
}

describe('calibrate()', () => {
  it('reports raw agreement, kappa and AC1, each with an interval', () => {
    // The table from the golden rows on agreement: 88%, kappa 0.595, AC1 0.830.
    const { judged, labels } = cases([78, true, true], [5, true, false], [7, false, true], [10, false, false]);
    const [kind] = calibrate(judged, labels).kinds;
    expect(kind?.table).toEqual({ bothPass: 78, judgePassesOnly: 5, peoplePassOnly: 7, bothFail: 10 });
    expect(kind?.raw).toMatchObject({
      value: expect.closeTo(0.88),
      interval: { low: expect.closeTo(0.8, 1), high: expect.closeTo(0.93, 1) },
    });
    expect(kind?.kappa.value).toBeCloseTo(0.554, 2);
    expect(kind?.ac1.value).toBeCloseTo(0.835, 2);
    expect(kind?.kappa.interval).toMatchObject({ low: expect.closeTo(0.33, 1), high: expect.closeTo(0.74, 1) });
    expect(kind?.beyondChance).toBe(true);
    expect(kind?.statement).toBe(
      'polite: judge and people agree on 88% (80 to 93%), by 100 labelled answers, kappa 0.554; "pass" for every answer would agree on 85%: usable.',
    );
  });

  it('warns if nearly all verdicts are the same, because kappa is then low despite 96% agreement', () => {
    const { judged, labels } = cases([95, true, true], [2, true, false], [2, false, true], [1, false, false]);
    const [kind] = calibrate(judged, labels).kinds;
    expect(kind?.kappa.value).toBeCloseTo(0.313, 2);
    expect(kind?.ac1.value).toBeCloseTo(0.957, 2);
    expect(kind?.warnings[1]).toMatch(/^97% of the verdicts on labelled answers are "pass": kappa is then low/);
    expect(kind?.warnings[2]).toMatch(/^people say "fail" only 3 times/);
  });

  it('finds no agreement beyond chance for a judge that decides at random', () => {
    const { judged, labels } = cases([15, true, true], [15, true, false], [15, false, true], [15, false, false]);
    const [kind] = calibrate(judged, labels).kinds;
    expect(kind?.kappa.value).toBe(0);
    expect(kind?.beyondChance).toBe(false);
    expect(kind?.warnings).toContain('agreement with people has not been shown to exceed chance');
    expect(kind?.strength).toBe('none');
    expect(kind?.statement).toMatch(/no useful agreement\.$/);
  });

  it('reports agreement as unknown with few labels, and states how many are needed', () => {
    const { judged, labels } = cases([6, true, true], [2, false, false], [40, true, null]);
    const [kind] = calibrate(judged, labels).kinds;
    const few = { unknown: '8 labelled cases are too few: at least 20 are needed' };
    expect(kind?.kappa).toEqual({ value: 1, interval: few });
    expect(kind?.beyondChance).toBeNull();
    expect(kind?.passRate).toMatchObject({ these: few, like: few, moreLabels: few });
    expect(kind?.raw.interval).toMatchObject({ high: 1 });
  });

  it('gives a judge that agrees on everything an interval with a width above 0', () => {
    const { judged, labels } = cases([30, true, true], [12, false, false], [60, true, null], [18, false, null]);
    const [kind] = calibrate(judged, labels).kinds;
    expect(kind?.kappa).toMatchObject({ value: 1, interval: { high: 1 } });
    expect(kind?.beyondChance).toBe(true);
    for (const one of [kind?.kappa.interval, kind?.ac1.interval, kind?.raw.interval, kind?.passRate.these]) {
      if (one === undefined || isUnknown(one)) throw new Error('it is unknown');
      expect(one.high - one.low).toBeGreaterThan(0.05);
    }
    expect(kind?.passRate.these).toMatchObject({ value: 0.75, exact: false });
  });

  it('lists differences with both sides’ reasons', () => {
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

  it('treats criteria, rubrics, turns and whole cases as separate kinds', () => {
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

  it('uses the majority label when several people labelled an item, leaves out ties, and reports agreement among people', () => {
    const judged = judgedBy(['a', 'b', 'c'].map((caseId) => judgement(caseId, true)));
    const say = (by: string, a: boolean, b: boolean) => [label('a', a, { by }), label('b', b, { by })];
    const labels = [...say('ada', true, true), ...say('ben', true, false), ...say('cleo', false, true)];
    const [kind] = calibrate(judged, [...labels, label('c', true), label('c', false, { by: 'ben' })]).kinds;
    expect(kind).toMatchObject({ things: 2, ties: 1, unjudged: 0, table: { bothPass: 2 } });
    expect(kind?.amongPeople).toMatchObject({ things: 3, raw: { value: 0 } });
    expect(calibrate(judged, [label('a', true)]).kinds[0]?.amongPeople).toBeNull();
  });

  it('gives kappa no interval if the judge gave one verdict only once or twice', () => {
    const { judged, labels } = cases([60, true, true], [8, true, false], [2, false, false]);
    const kind = calibrate(judged, labels).kinds[0];
    expect(kind?.kappa.interval).toEqual({ unknown: 'only 2 of the verdicts are "fail"' });
    expect(kind).toMatchObject({ beyondChance: null, strength: null });
    const more = cases([60, true, true], [8, true, false], [3, false, false]);
    expect(calibrate(more.judged, more.labels).kinds[0]?.kappa.interval).toMatchObject({ low: expect.any(Number) });
  });

  it('gives agreement among people no interval if one verdict is too rare', () => {
    const judged = judgedBy(Array.from({ length: 60 }, (_, index) => judgement(`case-${index}`, true)));
    const twoPeople = (fails: number) =>
      judged.judgements.flatMap(({ caseId }, index) => [
        label(caseId, index >= fails),
        label(caseId, index >= fails + (index % 9 === 0 ? 1 : 0), { by: 'ben' }),
      ]);
    const alpha = (fails: number) => calibrate(judged, twoPeople(fails)).kinds[0]?.amongPeople?.alpha.interval;
    expect(alpha(5)).toEqual({ unknown: 'one verdict was given to only 5 of them: at least 20 are needed' });
    expect(alpha(27)).toMatchObject({ low: expect.any(Number) });
  });

  it('excludes and counts items that the judge could not judge', () => {
    const { judged, labels } = cases([3, true, true], [2, null, true]);
    expect(calibrate(judged, labels).kinds[0]).toMatchObject({
      things: 3,
      unjudged: 2,
      passRate: { judge: { unjudged: 2, bounds: { worst: 0.6, best: 1 } }, these: { value: 1, exact: true } },
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

describe('the pass rate according to people', () => {
  const chosen = () =>
    // Of 300 answers, people accept 95% of those the judge passes and 30% of the rest. All fails are labelled.
    cases([19, true, true], [1, true, false], [12, false, true], [28, false, false], [240, true, null]);

  it("is estimated by correcting the judge's rate, for these cases and for cases like these", () => {
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
    // People pass 60 of the 84 that the judge passes, and 4 of the other 16.
    const value = expect.closeTo(0.84 * (60 / 84) + 0.16 * (4 / 16), 12);
    expect(rate).toMatchObject({ labelled: 0.64, these: { value, exact: false }, like: { value } });
    const { these, like } = rate ?? {};
    if (these === undefined || isUnknown(these) || like === undefined || isUnknown(like)) throw new Error('unknown');
    expect(these.low).toBeGreaterThan(like.low);
    expect(these.high).toBeLessThan(like.high);
    expect(rate?.moreLabels).toBeGreaterThan(100);
  });

  it('is weighted if labels were chosen by verdict, which the statement mentions first', () => {
    const { judged, labels } = chosen();
    const [kind] = calibrate(judged, labels).kinds;
    expect(kind?.passRate).toMatchObject({
      labelled: 31 / 60,
      these: { value: expect.closeTo((260 * 0.95 + 40 * 0.3) / 300, 12) },
    });
    expect(kind?.raw.value).toBeCloseTo((260 * 0.95 + 40 * 0.7) / 300, 12);
    expect(kind?.draw).toMatchObject({ drawn: null, differs: true, passedOfLabelled: 1 / 3, passedOfOthers: 1 });
    expect(kind?.statement).toMatch(
      /^polite: the labelled answers are no random sample: 33% of them pass by the judge, and 100% of the others\. Judge and people agree on 92% \(/,
    );
    expect(kind?.warnings[0]).toMatch(
      /^the numbers below are weighted by the verdicts of the judge; they are right if/,
    );
    const drawn = labels.map((one) => ({ ...one, drawn: 'by-verdict' as const }));
    const [recorded] = calibrate(judged, drawn).kinds;
    expect(recorded?.statement).toContain('polite: the labelled answers were drawn by verdict: 33% of them');
    expect(recorded?.warnings[0]).toBe('the numbers below are weighted by the verdicts of the judge');
  });

  it('is reported without a remark if labels were drawn at random', () => {
    const { judged, labels } = cases([20, true, true], [8, false, false], [160, true, null], [40, false, null]);
    const [kind] = calibrate(judged, labels).kinds;
    expect(kind?.draw).toMatchObject({ differs: false, p: expect.any(Number) });
    expect(kind?.statement).toMatch(/^polite: judge and people agree/);
  });

  it('is unknown if one of the verdicts has no label, and the reason states how many are needed', () => {
    const { judged, labels } = cases([6, false, true], [21, false, false], [133, true, null]);
    const [kind] = calibrate(judged, labels).kinds;
    const missing = { unknown: 'none of the 133 verdicts "pass" has a label: label 10 of them' };
    expect(kind).toMatchObject({
      passRate: { these: missing, like: missing, moreLabels: missing, labelled: 6 / 27 },
      raw: { value: missing },
      kappa: { value: missing },
      strength: null,
    });
    expect(kind?.statement).toContain(`Judge and people agree on 21 of 27 labelled answers, but ${missing.unknown}.`);
  });

  it('is exact for these cases once all are labelled, but not for cases like these', () => {
    const { judged, labels } = cases([30, true, true], [3, true, false], [7, false, false]);
    expect(calibrate(judged, labels).kinds[0]?.passRate).toMatchObject({
      these: { value: 0.75, low: 0.75, high: 0.75, exact: true },
      like: {
        value: expect.closeTo(0.75, 12),
        low: expect.closeTo(0.6, 1),
        high: expect.closeTo(0.86, 1),
        exact: false,
      },
      moreLabels: { unknown: 'everything is labelled' },
    });
  });

  it('weights all cases equally, however many answers they have, and counts a group as one case in the interval', () => {
    const judgements = Array.from({ length: 40 }, (_, index) =>
      Array.from({ length: index < 20 ? 4 : 1 }, (_, turn) =>
        judgement(`case-${index}`, true, { turn, group: `group-${index % 20}` }),
      ),
    ).flat();
    const labels = judgements.map(({ caseId, turn }) => label(caseId, Number(caseId.slice(5)) < 20, { turn }));
    const alone = judgements.map((one) => ({ ...one, group: null }));
    const rate = (all: readonly Judgement[]) => calibrate(judgedBy(all), labels).kinds[0]?.passRate;
    expect(rate(judgements)).toMatchObject({ these: { value: 0.5, exact: true }, judge: { value: 1, groups: 20 } });
    const width = (all: readonly Judgement[]) => {
      const like = rate(all)?.like;
      if (like === undefined || isUnknown(like)) throw new Error('it is unknown');
      return like.high - like.low;
    };
    expect(width(alone)).toBeGreaterThan(0.25);
    const together = judgements.map((one) => ({ ...one, group: `group-${Number(one.caseId.slice(5)) % 20}` }));
    expect(width(together)).not.toBe(width(alone));
  });
});

describe('the strength of a judge', () => {
  it('depends on the size of the agreement, so a judge that rejects nearly everything is not called usable', () => {
    // Measured on public data: 744 of 761 good answers and all bad ones were rejected.
    const { judged, labels } = cases([17, true, true], [744, false, true], [244, false, false]);
    const [kind] = calibrate(judged, labels).kinds;
    expect(kind).toMatchObject({ beyondChance: true, strength: 'none' });
    expect(kind?.statement).toMatch(
      /^polite: judge and people agree on 26% \(23 to 29%\), by 1005 labelled answers, kappa 0\.\d+; "pass" for every answer would agree on 76%: no useful agreement\.$/,
    );
    expect(kind?.warnings).toContain(
      '"pass" for every answer would agree with people more often (76%) than the judge does (26%)',
    );
    expect(kind?.warnings).toContain('AC1 is negative: they agree less often than two who decide at random');
  });

  it('is slight if a constant verdict would agree as often', () => {
    const { judged, labels } = cases([780, true, true], [150, false, true], [20, true, false], [50, false, false]);
    const [kind] = calibrate(judged, labels).kinds;
    expect(kind?.strength).toBe('slight');
    expect(kind?.statement).toMatch(/"pass" for every answer would agree on 93%: slight agreement\.$/);
  });

  it('comes with a statement that mentions a judge with a constant verdict', () => {
    const { judged, labels } = cases([19, false, false], [81, false, true], [40, false, null]);
    const [kind] = calibrate(judged, labels).kinds;
    expect(kind).toMatchObject({ oneVerdict: 'fail', beyondChance: false, strength: 'none' });
    expect(kind?.statement).toMatch(
      /^polite: the judge gave one verdict throughout, "fail"; people agree on 19% \(12 to 28%\), by 100 labelled answers\.$/,
    );
    expect(kind?.warnings[0]).toBe('verdicts that are all the same tell no answer from another');
    expect(JSON.stringify(kind)).not.toContain('all labelled cases agree');
  });

  it('comes with a statement that does not call a criterion without a model a judge', () => {
    const { judged, labels } = cases([30, true, true], [5, true, false], [15, false, false]);
    const plain = { ...judged, instruments: judged.instruments.map((one) => ({ ...one, judges: [] })) };
    const [kind] = calibrate(plain, labels).kinds;
    expect(kind?.rater).toBe('criterion');
    expect(kind?.statement).toContain('polite: criterion and people agree on 90%');
    expect(JSON.stringify([kind?.statement, kind?.warnings])).not.toContain('judge');
  });
});

describe('labels of whole cases', () => {
  const run = Array.from({ length: 40 }, (_, index) => {
    const whole = { turn: null, criterion: null };
    return [
      judgement(`case-${index}`, index < 20, whole),
      judgement(`case-${index}`, index < 20, { turn: null }),
      judgement(`case-${index}`, index < 30, { turn: null, criterion: 'short' }),
      judgement(`case-${index}`, null, { turn: null, criterion: 'measured' }),
    ];
  }).flat();
  const judged: Judged = { ...judgedBy(run) };
  const labels = Array.from({ length: 40 }, (_, index) =>
    label(`case-${index}`, index < 30, { turn: null, criterion: null }),
  );

  it('are also compared with each deciding criterion', () => {
    const { kinds, criteria } = calibrate(judged, labels);
    expect(kinds.map(({ criterion, raw }) => [criterion, raw.value])).toEqual([[null, 0.75]]);
    expect(criteria).toMatchObject([
      { criterion: 'polite', things: 40, raw: { value: 0.75 }, table: { peoplePassOnly: 10 } },
      { criterion: 'short', things: 40, raw: { value: 1 }, strength: 'usable' },
    ]);
    expect(calibrate(judged, labels, { criterion: 'short' })).toMatchObject({
      people: ['ada'],
      kinds: [],
      criteria: [{ criterion: 'short' }],
    });
  });

  it('are not compared with a criterion that alone decides', () => {
    const one = { ...judged, judgements: run.filter(({ criterion }) => criterion !== 'short') };
    expect(calibrate(one, labels).criteria).toEqual([]);
  });
});

const pairs = fc.array(fc.record({ judge: fc.boolean(), people: fc.boolean() }), { minLength: 1, maxLength: 60 });

const none: Unknown = { unknown: 'nothing is labelled' };

describe('calibrate() with arbitrary labels', () => {
  it('computes the same agreement as the statistics package, between -1 and 1 and inside its interval', () => {
    fc.assert(
      fc.property(pairs, (all) => {
        const things = all.map((pair, index) => ({ ...pair, caseKey: String(index), cluster: String(index) }));
        const found = agreementOf(verdictStrata(things), all, 0.95);
        const kappa = cohenKappa({
          a: all.map((p) => p.people),
          b: all.map((p) => p.judge),
          categories: [true, false],
        });
        const ac1 = gwetAC1(
          all.map((p) => [p.judge, p.people]),
          [true, false],
        );
        const closeTo = (one: number | Unknown) => (isUnknown(one) ? 'none' : expect.closeTo(one, 9));
        expect(found.kappa.value).toEqual(isUnknown(kappa) ? expect.anything() : closeTo(kappa.kappa));
        expect(isUnknown(found.kappa.value)).toBe(isUnknown(kappa));
        expect(found.ac1.value).toEqual(closeTo(isUnknown(ac1) ? ac1 : ac1.ac1));
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

  it('computes a corrected rate inside its interval and between 0 and 1, whatever the order of cases', () => {
    const things = fc.array(fc.record({ judge: fc.option(fc.boolean()), people: fc.option(fc.boolean()) }), {
      minLength: 40,
      maxLength: 200,
    });
    fc.assert(
      fc.property(things, (all) => {
        const own = all.map((one, index) => ({ judge: one.judge, people: one.people, at: index }));
        const rateOf = (things: typeof own) =>
          calibrate(
            judgedBy(things.map(({ judge, at }) => judgement(`case-${at}`, judge))),
            things.flatMap(({ people, at }) => (people === null ? [] : [label(`case-${at}`, people)])),
          ).kinds[0]?.passRate;
        const { these, like } = rateOf(own) ?? { these: none, like: none };
        for (const rate of [these, like]) {
          if (isUnknown(rate)) continue;
          expect(rate.low).toBeGreaterThanOrEqual(0);
          expect(rate.value).toBeGreaterThanOrEqual(rate.low);
          expect(rate.high).toBeGreaterThanOrEqual(rate.value);
          expect(rate.high).toBeLessThanOrEqual(1);
        }
        const turned = rateOf(own.toReversed())?.these ?? none;
        expect(isUnknown(turned)).toBe(isUnknown(these));
        if (!isUnknown(turned) && !isUnknown(these)) expect(turned.value).toBeCloseTo(these.value, 9);
      }),
      { numRuns: 40 },
    );
  });
});
