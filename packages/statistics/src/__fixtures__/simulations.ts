import {
  betaMixtureSequence,
  bootstrapBca,
  bootstrapPercentile,
  bootstrapResamples,
  clopperPearsonInterval,
  fisherExact,
  type Interval,
  isUnknown,
  mcnemarExact,
  ppiMean,
  ppiPlusPlusMean,
  roganGladen,
  signFlipTest,
  sprt,
  tInterval,
  type Unknown,
  wilsonEffectiveInterval,
  wilsonInterval,
} from '../index.ts';
import type { Draws } from '../sign-flip-draws.ts';
import { caseSimulations } from './case-simulations.ts';
import { createDraw, type Draw } from './draw.ts';
import { coverageOf, stopping } from './exactly.ts';
import { createTally, holds, type Measured, type Simulation } from './simulation.ts';

/** Returns a range within 1.5 points of a value measured elsewhere. */
const near = (stated: number): readonly [number, number] => [stated - 1.5, stated + 1.5];
const nearRange = (low: number, high: number): readonly [number, number] => [low - 1.5, high + 1.5];

function known<Result>(result: Result | Unknown): Result {
  if (isUnknown(result)) throw new Error(result.unknown);
  return result;
}

const oneRunPerCase: Simulation = {
  about: 'Intervals of a pass rate, one run per case',
  table: 'ranges',
  samples: 0,
  run: () => {
    const measured: Measured[] = [];
    const add = (method: string, n: number, rate: number, value: number, allowed: readonly [number, number]) =>
      measured.push({ method, setting: `${n} cases, ${rate}`, value, allowed, unit: '%', samples: 0 });
    for (const n of [10, 20, 50, 100]) {
      for (const rate of [0.5, 0.8, 0.9, 0.97]) {
        add('`wilsonInterval`', n, rate, coverageOf((k) => known(wilsonInterval(k, n)), n, rate), [92, 98.5]);
        const exact = coverageOf((k) => known(clopperPearsonInterval(k, n)), n, rate);
        add('`clopperPearsonInterval`', n, rate, exact, [95, 100]);
      }
    }
    for (const [n, rate, stated] of [
      [20, 0.97, 46],
      [10, 0.9, 65],
    ] as const) {
      const outcomes = (k: number) => Array.from({ length: n }, (_, index) => (index < k ? 1 : 0));
      const value = coverageOf((k) => known(tInterval(outcomes(k))), n, rate);
      add('`tInterval`, for comparison', n, rate, value, near(stated));
    }
    return measured;
  },
};

interface Repeats {
  readonly name: string;
  readonly rateOf: (draw: Draw) => number;
  readonly mean: number;
  readonly cases: number;
  readonly repeats: number;
}

const repeatSettings: readonly Repeats[] = [
  { name: 'Beta(0.6, 0.2)', rateOf: (draw: Draw) => draw.beta06by02(), mean: 0.75 },
  { name: 'Beta(4, 1)', rateOf: (draw: Draw) => draw.beta4by1(), mean: 0.8 },
].flatMap((rates) =>
  [
    [10, 5],
    [20, 5],
    [50, 5],
    [20, 20],
    [100, 3],
  ].map(([cases = 0, repeats = 0]) => ({ ...rates, cases, repeats })),
);

function runsOf(draw: Draw, rate: number, repeats: number): number[] {
  return Array.from({ length: repeats }, () => draw.outcome(rate));
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const share = (outcomes: readonly number[]) => sum(outcomes) / outcomes.length;

const severalRunsPerCase: Simulation = {
  about: 'Intervals of a pass rate, several runs per case',
  table: 'ranges',
  samples: 10_000,
  run: (samples) =>
    repeatSettings.flatMap(({ name, rateOf, mean, cases, repeats }, index) => {
      const draw = createDraw(100 + index);
      const { count, percent } = createTally();
      for (let sample = 0; sample < samples; sample++) {
        const outcomes = Array.from({ length: cases }, () => runsOf(draw, rateOf(draw), repeats));
        count('effective', holds(wilsonEffectiveInterval(outcomes), mean));
        count('t', holds(tInterval(outcomes.map(share)), mean));
        count('pooled', holds(wilsonInterval(sum(outcomes.map(sum)), cases * repeats), mean));
      }
      const setting = `${cases} x ${repeats}, ${name}`;
      const entry = (method: string, key: string, allowed: readonly [number, number]): Measured => {
        return { method, setting, value: percent(key, samples), allowed, unit: '%', samples };
      };
      return [
        entry('`wilsonEffectiveInterval`', 'effective', [93.5, 97]),
        entry('`tInterval` of case means', 't', nearRange(91, 95)),
        entry('`wilsonInterval` of all runs, for comparison', 'pooled', nearRange(41, 91)),
      ];
    }),
};

/** Scores from 0 to 1, most of them high. */
const skewed = { mean: 3 / 3.8, scoreOf: (draw: Draw) => draw.beta3by08() };

const skewedScores: Simulation = {
  about: 'Intervals of a mean of skewed scores, Beta(3, 0.8)',
  table: 'rows',
  samples: 8000,
  run: (samples) =>
    [
      { cases: 15, t: 92, percentile: 90.7, bca: 90.8, within: 1.5 },
      // Reported elsewhere as about 95.5 for all three, for an unnamed distribution.
      { cases: 60, t: 95.5, percentile: 95.5, bca: 95.5, within: 2 },
    ].flatMap(({ cases, t, percentile, bca, within }) => {
      const draw = createDraw(200 + cases);
      const { count, percent } = createTally();
      // Resamples do not depend on the values, so one list is enough for all samples.
      const resamples = bootstrapResamples(cases, samples < 500 ? 200 : 1000, 1);
      for (let sample = 0; sample < samples; sample++) {
        const values = Array.from({ length: cases }, () => skewed.scoreOf(draw));
        const resampled = { values, statistic: 'mean', resamples } as const;
        count('t', holds(tInterval(values), skewed.mean));
        count('percentile', holds(bootstrapPercentile(resampled), skewed.mean));
        count('bca', holds(bootstrapBca(resampled), skewed.mean));
      }
      const setting = `${cases} cases`;
      const entry = (method: string, key: string, stated: number): Measured => {
        return { method, setting, value: percent(key, samples), allowed: [stated - within, stated + within], unit: '%', samples };
      };
      return [
        entry('`tInterval`', 't', t),
        entry('`bootstrapPercentile`', 'percentile', percentile),
        entry('`bootstrapBca`', 'bca', bca),
      ];
    }),
};

const judges: readonly {
  readonly rate: number;
  readonly sensitivity: number;
  readonly specificity: number;
  readonly n: number;
  readonly m: number;
  /** Values reported for: raw judge, Rogan-Gladen (delta method; Lang and Reiczigel), PPI, PPI++, labels only. */
  readonly stated: readonly [number, number, number, number, number, number];
}[] = [
  { rate: 0.8, sensitivity: 0.9, specificity: 0.8, n: 200, m: 50, stated: [72, 98, 96, 94.7, 92.9, 94.9] },
  { rate: 0.8, sensitivity: 0.9, specificity: 0.8, n: 200, m: 100, stated: [73, 97, 96, 95.2, 94.4, 94.4] },
  { rate: 0.9, sensitivity: 0.95, specificity: 0.7, n: 500, m: 60, stated: [79, 97, 97, 95, 90.4, 95] },
  { rate: 0.6, sensitivity: 0.85, specificity: 0.85, n: 100, m: 40, stated: [90, 98, 96, 95.2, 94, 96.9] },
  { rate: 0.95, sensitivity: 0.98, specificity: 0.6, n: 300, m: 60, stated: [96, 82, 82, 95.5, 80.6, 96.8] },
];

const judgesAndPeople: Simulation = {
  about: 'A pass rate from a judge and some labels: true rate, sensitivity, specificity, cases judged, cases labelled',
  table: 'columns',
  samples: 4000,
  run: (samples) =>
    judges.flatMap(({ rate, sensitivity, specificity, n, m, stated }, index) => {
      const draw = createDraw(300 + index);
      const { count, percent } = createTally();
      const judgeOf = (truth: number) => (truth === 1 ? draw.outcome(sensitivity) : 1 - draw.outcome(specificity));
      for (let sample = 0; sample < samples; sample++) {
        const human = Array.from({ length: m }, () => draw.outcome(rate));
        const judgeLabelled = human.map(judgeOf);
        const judgeUnlabelled = Array.from({ length: n }, () => judgeOf(draw.outcome(rate)));
        const data = { human, judgeLabelled, judgeUnlabelled };
        const positives = sum(judgeUnlabelled);
        const corrected = roganGladen({
          positives,
          n,
          truePositives: human.filter((label, at) => label === 1 && judgeLabelled[at] === 1).length,
          humanPositives: sum(human),
          trueNegatives: human.filter((label, at) => label === 0 && judgeLabelled[at] === 0).length,
          humanNegatives: m - sum(human),
        });
        count('raw', holds(wilsonInterval(positives, n), rate));
        count('delta', !isUnknown(corrected) && Math.abs(corrected.raw - rate) <= 1.959963984540054 * corrected.se);
        count('lang', holds(corrected, rate));
        count('ppi', holds(ppiMean(data), rate));
        count('ppi++', holds(ppiPlusPlusMean(data), rate));
        count('labels', holds(wilsonInterval(sum(human), m), rate));
      }
      const setting = `${rate}, ${sensitivity}, ${specificity}, ${n}, ${m}`;
      const entry = (method: string, key: string, allowed: readonly [number, number]): Measured => {
        return { method, setting, value: percent(key, samples), allowed, unit: '%', samples };
      };
      return [
        entry("the judge's own rate", 'raw', near(stated[0])),
        entry('`roganGladen` +- z `se`', 'delta', near(stated[1])),
        entry('`roganGladen`', 'lang', near(stated[2])),
        entry('`ppiMean`', 'ppi', [Math.max(93, stated[3] - 1.5), stated[3] + 1.5]),
        entry('`ppiPlusPlusMean`', 'ppi++', near(stated[4])),
        entry('labels alone', 'labels', near(stated[5])),
      ];
    }),
};

/** Returns the options for random draws in a simulation. Its reduced form also uses fewer draws. */
const drawsOf = (seed: number, samples: number): Draws => (samples < 500 ? { seed, draws: 499 } : { seed });

/** Determines which tests find a difference at 5%. */
function compare(first: readonly (readonly number[])[], second: readonly (readonly number[])[], draws: Draws) {
  const [firstRates, secondRates] = [first.map(share), second.map(share)];
  const differences = secondRates.map((rate, index) => rate - firstRates[index]!);
  const interval = known(tInterval(differences));
  const majority = (rates: readonly number[]) => rates.map((rate) => rate > 0.5);
  const [wonFirst, wonSecond] = [majority(firstRates), majority(secondRates)];
  const only = (one: readonly boolean[], other: readonly boolean[]) => one.filter((won, at) => won && !other[at]).length;
  const runs = first.length * first[0]!.length;
  const [passedFirst, passedSecond] = [sum(first.map(sum)), sum(second.map(sum))];
  const table = [
    [passedFirst, runs - passedFirst],
    [passedSecond, runs - passedSecond],
  ] as const;
  return {
    signFlip: known(signFlipTest(differences, draws)).p < 0.05,
    t: interval.low > 0 || interval.high < 0,
    mcnemar: mcnemarExact(only(wonFirst, wonSecond), only(wonSecond, wonFirst)) < 0.05,
    fisher: known(fisherExact(table)) < 0.05,
  };
}

const equalRuns: Simulation = {
  about: 'Equal runs in which a difference is found, at a nominal 5%',
  table: 'ranges',
  samples: 2000,
  run: (samples) =>
    repeatSettings.flatMap(({ name, rateOf, cases, repeats }, index) => {
      const draw = createDraw(400 + index);
      const { count, percent } = createTally();
      for (let sample = 0; sample < samples; sample++) {
        const rates = Array.from({ length: cases }, () => rateOf(draw));
        const runs = () => rates.map((rate) => runsOf(draw, rate, repeats));
        for (const [key, found] of Object.entries(compare(runs(), runs(), drawsOf(sample, samples)))) count(key, found);
      }
      const setting = `${cases} x ${repeats}, ${name}`;
      const entry = (method: string, key: string, highest: number): Measured => {
        const allowed = nearRange(0, highest);
        return { method, setting, value: percent(key, samples), allowed, unit: '%', samples };
      };
      return [
        entry('`signFlipTest`', 'signFlip', 3.8),
        entry('`tInterval` of differences', 't', 7.5),
        entry('`mcnemarExact` on majorities', 'mcnemar', 3),
        entry('`fisherExact` of all runs', 'fisher', 2.8),
      ];
    }),
};

const worseRuns: Simulation = {
  about: 'Runs that are 10 points worse in which a difference is found, 100 cases x 3',
  table: 'rows',
  samples: 8000,
  run: (samples) => {
    const draw = createDraw(500);
    const { count, percent } = createTally();
    for (let sample = 0; sample < samples; sample++) {
      const rates = Array.from({ length: 100 }, () => draw.beta4by1());
      const worse = rates.map((rate, index) => (index % 2 === 0 ? Math.max(0, rate - 0.2) : rate));
      const [before, after] = [rates, worse].map((all) => all.map((rate) => runsOf(draw, rate, 3)));
      for (const [key, found] of Object.entries(compare(before!, after!, drawsOf(sample, samples)))) count(key, found);
    }
    const setting = 'Beta(4, 1), half of the cases lose 20 points';
    const entry = (method: string, key: string, stated: number): Measured => {
      return { method, setting, value: percent(key, samples), allowed: near(stated), unit: '%', samples };
    };
    return [entry('`signFlipTest`', 'signFlip', 84), entry('`mcnemarExact` on majorities', 'mcnemar', 52)];
  },
};

const stoppingEarly: Simulation = {
  about: 'Stopping early',
  table: 'rows',
  samples: 0,
  run: () => {
    const measured: Measured[] = [];
    const add = (
      method: string,
      setting: string,
      unit: Measured['unit'],
      value: number,
      allowed: readonly [number, number],
    ) => measured.push({ method, setting, value, allowed, unit, samples: 0 });

    for (const [rate, stated, right] of [
      [0.3, 7, 'below'],
      [0.5, 19, 'below'],
      [0.99, 28, 'above'],
    ] as const) {
      const { runs, decided } = stopping(rate, 60, ['below', 'above'], (k, n) => {
        const { low, high } = betaMixtureSequence({ k, n });
        if (low > 0.8) return 'above';
        return high < 0.8 ? 'below' : null;
      });
      const wrong = decided[right === 'below' ? 'above' : 'below'];
      add('`betaMixtureSequence`: repeats until decided', `gate 0.8, rate ${rate}`, 'repeats', runs, near(stated));
      add('`betaMixtureSequence`: wrong', `gate 0.8, rate ${rate}`, '%', wrong, [0, 1.6]);
    }
    for (const rate of [0.5, 0.8, 0.9]) {
      const refuted = (interval: Interval) => (interval.low > rate || interval.high < rate ? 'refuted' : null);
      const bySequence = stopping(rate, 60, ['refuted'], (k, n) => refuted(betaMixtureSequence({ k, n })));
      const byWilson = stopping(rate, 60, ['refuted'], (k, n) => refuted(known(wilsonInterval(k, n))));
      const setting = `rate ${rate}, looked at after each of 60`;
      const [sequence, wilson] = [bySequence.decided.refuted, byWilson.decided.refuted];
      add('`betaMixtureSequence`: ever leaves out the true rate', setting, '%', sequence, nearRange(1.4, 2.9));
      add('`wilsonInterval`, for comparison: ever leaves it out', setting, '%', wilson, [25, 45]);
    }
    return measured;
  },
};

const betweenTwoRates: Simulation = {
  about: 'Deciding between two rates, 0.6 and 0.9',
  table: 'rows',
  samples: 4000,
  run: (samples) =>
    (
      [
        [0.3, 4.6, null],
        [0.6, null, 'p1'],
        [0.9, 13, 'p0'],
        [0.99, 8.3, null],
      ] as const
    ).flatMap(([rate, repeats, wrong], index) => {
      const draw = createDraw(600 + index);
      const { count, percent } = createTally();
      let runs = 0;
      for (let sample = 0; sample < samples; sample++) {
        const { n, decision } = sprt({ outcomes: runsOf(draw, rate, 150), p0: 0.6, p1: 0.9 });
        runs += n;
        count('wrong', decision === wrong);
      }
      const setting = `rate ${rate}`;
      const measured: Measured[] = [];
      if (repeats !== null) {
        const [method, value, allowed] = ['`sprt`: repeats until decided', runs / samples, near(repeats)] as const;
        measured.push({ method, setting, value, allowed, unit: 'repeats', samples });
      }
      if (wrong !== null) {
        const [method, value, allowed] = ['`sprt`: wrong', percent('wrong', samples), nearRange(2, 4.5)] as const;
        measured.push({ method, setting, value, allowed, unit: '%', samples });
      }
      return measured;
    }),
};

export const simulations: readonly Simulation[] = [
  oneRunPerCase,
  severalRunsPerCase,
  skewedScores,
  judgesAndPeople,
  equalRuns,
  worseRuns,
  stoppingEarly,
  betweenTwoRates,
  ...caseSimulations,
];
