import {
  boundedMeanInterval,
  caseRateInterval,
  clusterInterval,
  type Interval,
  tInterval,
  type Unknown,
  wilsonEffectiveInterval,
  wilsonInterval,
} from '../index.ts';
import { createDraw, type Draw } from './draw.ts';
import { createTally, holds, type Measured, type Simulation } from './simulation.ts';

// How often the intervals of runs contain the true value, over grids of cases, repeats, groups and scores.

const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The range in which coverage may lie, with a slightly lower minimum for 3 to 9 cases or groups. */
const claimed = (independent: number): readonly [number, number] => [independent < 10 ? 91 : 93, 100];

type Entry = readonly [method: string, allowed: readonly [number, number], interval: Interval | Unknown];

/** Measures every setting of a grid, and averages each method over all settings. */
function measure(
  samples: number,
  settings: readonly { readonly name: string; readonly truth: number; readonly draw: () => readonly Entry[] }[],
): readonly Measured[] {
  const found: Measured[] = [];
  for (const { name, truth, draw } of settings) {
    const { count, percent } = createTally();
    const methods = new Map<string, readonly [number, number]>();
    for (let sample = 0; sample < samples; sample++) {
      for (const [method, allowed, interval] of draw()) {
        methods.set(method, allowed);
        count(method, holds(interval, truth));
      }
    }
    for (const [method, allowed] of methods) {
      found.push({ method, setting: name, value: percent(method, samples), allowed, unit: '%', samples });
    }
  }
  const averages = [...new Set(found.map(({ method }) => method))].map((method): Measured => {
    const own = found.filter((one) => one.method === method);
    const allowed: readonly [number, number] = method.includes('comparison') ? [0, 100] : [94, 98];
    const value = meanOf(own.map((one) => one.value));
    return { method: `${method}, on average`, setting: 'all', value, allowed, unit: '%', samples: samples * own.length };
  });
  return [...found, ...averages];
}

const rates: readonly { readonly name: string; readonly mean: number; readonly rateOf: (draw: Draw) => number }[] = [
  { name: 'Beta(4, 1)', mean: 0.8, rateOf: (draw) => draw.beta4by1() },
  { name: 'Beta(0.6, 0.2)', mean: 0.75, rateOf: (draw) => draw.beta06by02() },
  { name: 'Beta(2, 2)', mean: 0.5, rateOf: (draw) => draw.beta2by2() },
  { name: 'all 0.9', mean: 0.9, rateOf: () => 0.9 },
];

const ratesOverCases: Simulation = {
  about: 'Pass rates of 3 to 300 cases that ran 1 to 10 times each',
  table: 'ranges',
  samples: 2000,
  run: (samples) => {
    const draw = createDraw(700);
    return measure(
      samples,
      rates.flatMap(({ name, mean, rateOf }) =>
        [3, 5, 10, 30, 100, 300].flatMap((cases) =>
          [1, 3, 10].map((repeats) => ({
            name: `${cases} x ${repeats}, ${name}`,
            truth: mean,
            draw: () => {
              const outcomes = Array.from({ length: cases }, () => {
                const rate = rateOf(draw);
                return Array.from({ length: repeats }, () => draw.outcome(rate));
              });
              const passed = outcomes.filter(([first]) => first === 1).length;
              const runs = cases * repeats;
              const before =
                repeats === 1 ? wilsonInterval(passed, cases) : wilsonEffectiveInterval(outcomes);
              const entries: readonly Entry[] = [
                ['`caseRateInterval`', claimed(cases), caseRateInterval({ rates: outcomes.map(meanOf), runs })],
                ['`wilsonInterval`, `wilsonEffectiveInterval`, for comparison', [0, 100], before],
              ];
              return entries;
            },
          })),
        ),
      ),
    );
  },
};

/**
 * How the rates of the cases in a group are related. `groupOf` draws a group and returns a function that draws the rate
 * of each case in it.
 */
const groupings: readonly {
  readonly name: string;
  readonly mean: number;
  readonly groupOf: (draw: Draw) => () => number;
}[] = [
  {
    name: 'nearly all or nothing',
    mean: 0.8 * 0.97 + 0.2 * 0.2,
    groupOf: (draw) => {
      const rate = draw.outcome(0.8) === 1 ? 0.97 : 0.2;
      return () => rate;
    },
  },
  {
    name: 'alike',
    mean: 0.8,
    groupOf: (draw) => {
      const rate = draw.beta4by1();
      return () => rate;
    },
  },
  { name: 'independent', mean: 0.8, groupOf: (draw) => () => draw.beta4by1() },
];

const groupSizes = [
  ...[3, 5, 10, 20, 40].flatMap((groups) =>
    [1, 5, 10].map((size) => ({ name: `${groups} of ${size}`, groups, sizes: Array<number>(groups).fill(size) })),
  ),
  { name: '1 of 40 and 20 of 1', groups: 21, sizes: [40, ...Array<number>(20).fill(1)] },
];

const groupedRates: Simulation = {
  about: 'Pass rates of 3 to 40 groups of 1 to 40 cases that ran once or 3 times',
  table: 'ranges',
  samples: 1000,
  run: (samples) => {
    const draw = createDraw(800);
    return measure(
      samples,
      groupings.flatMap(({ name, mean, groupOf }) =>
        groupSizes.flatMap(({ name: groups, groups: count, sizes }) =>
          [1, 3].map((repeats) => ({
            name: `${groups} x ${repeats}, ${name}`,
            truth: mean,
            draw: () => {
              const clusters = sizes.flatMap((size, index) => Array<number>(size).fill(index));
              const rates = sizes.flatMap((size) => {
                const rateOf = groupOf(draw);
                return Array.from({ length: size }, () => {
                  const rate = rateOf();
                  return meanOf(Array.from({ length: repeats }, () => draw.outcome(rate)));
                });
              });
              const runs = rates.length * repeats;
              const entries: readonly Entry[] = [
                ['`caseRateInterval`', claimed(count), caseRateInterval({ rates, runs, clusters })],
              ];
              return entries;
            },
          })),
        ),
      ),
    );
  },
};

const scores: readonly { readonly name: string; readonly mean: number; readonly scoreOf: (draw: Draw) => number }[] = [
  { name: '97% at 1, 3% at 0.3', mean: 0.979, scoreOf: (draw) => (draw.outcome(0.97) === 1 ? 1 : 0.3) },
  { name: '90% at 1, 10% at 0.2', mean: 0.92, scoreOf: (draw) => (draw.outcome(0.9) === 1 ? 1 : 0.2) },
  {
    name: '80% at 1, others up to 0.9',
    mean: 0.89,
    scoreOf: (draw) => (draw.outcome(0.8) === 1 ? 1 : 0.9 * draw.uniform()),
  },
  { name: '60% at 1, others below', mean: 0.8, scoreOf: (draw) => (draw.outcome(0.6) === 1 ? 1 : draw.uniform()) },
  { name: 'Beta(3, 0.8)', mean: 3 / 3.8, scoreOf: (draw) => draw.beta3by08() },
  { name: 'five steps', mean: 0.5, scoreOf: (draw) => Math.floor(5 * draw.uniform()) / 4 },
  { name: 'all 0.9', mean: 0.9, scoreOf: () => 0.9 },
];

const boundedScores: Simulation = {
  about: 'Means of 3 to 100 scores between 0 and 1, alone or in pairs that are equal',
  table: 'ranges',
  samples: 1000,
  run: (samples) => {
    const draw = createDraw(900);
    return measure(
      samples,
      scores.flatMap(({ name, mean, scoreOf }) =>
        [3, 5, 10, 30, 100].flatMap((count) =>
          [1, 2].map((size) => ({
            name: `${count} of ${size}, ${name}`,
            truth: mean,
            draw: () => {
              const once = Array.from({ length: count }, () => scoreOf(draw));
              const values = once.flatMap((value) => Array<number>(size).fill(value));
              const clusters = size === 1 ? undefined : values.map((_, index) => Math.floor(index / size));
              const before = clusters === undefined ? tInterval(values) : clusterInterval(values, clusters);
              const entries: readonly Entry[] = [
                ['`boundedMeanInterval`', claimed(count), boundedMeanInterval(values, clusters)],
                ['`tInterval`, `clusterInterval`, for comparison', [0, 100], before],
              ];
              return entries;
            },
          })),
        ),
      ),
    );
  },
};

export const caseSimulations: readonly Simulation[] = [ratesOverCases, groupedRates, boundedScores];
