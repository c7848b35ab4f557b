import type { Label } from '@agent-criteria/results';
import { createRandom, type Interval, isUnknown, type Unknown } from '@agent-criteria/statistics';
import { calibrate } from '../calibrate.ts';
import type { Judged, Judgement } from '../judgements.ts';

/** How the labelled items are chosen. */
export type Chosen = 'random' | 'by-verdict' | 'halves' | 'fails-first';

/** One cell of the grid. */
export interface LabelSetting {
  /** The true pass rate, and the sensitivity and specificity of the judge. */
  readonly truth: readonly [rate: number, sensitivity: number, specificity: number];
  /** Number of cases, each with one answer. */
  readonly cases: number;
  readonly labels: number;
  readonly chosen: Chosen;
  /** The group size. Cases in a group share a pass rate, high or low with equal probability. Default 1: no groups. */
  readonly groupOf?: number | undefined;
}

/** How often the interval contained the true value, and its mean width, over the draws that have an interval. */
export interface Coverage {
  readonly held: number;
  readonly width: number;
  readonly draws: number;
}

export interface LabelCoverage {
  readonly these: Coverage;
  readonly like: Coverage;
  readonly agreement: Coverage;
  readonly kappa: Coverage;
  readonly ac1: Coverage;
  /** Share of draws in which the labels are reported as chosen by verdict. */
  readonly flagged: number;
}

const TRUTHS = [
  [0.9, 0.95, 0.7],
  [0.8, 0.97, 0.5],
  [0.8, 0.9, 0.8],
  [0.5, 0.95, 0.65],
  [0.6, 0.85, 0.85],
  [0.05, 0.9, 0.9],
  [0.95, 0.98, 0.6],
  [0.98, 0.95, 0.8],
] as const;

/** Realistic sizes and judges, plus rates near 0 and 1. The method was chosen on these settings. */
export const labelGrid: readonly LabelSetting[] = (
  [
    [100, 20],
    [100, 60],
    [300, 40],
    [300, 100],
    [300, 200],
    [1000, 20],
    [1000, 100],
  ] as const
).flatMap(([cases, labels]) =>
  TRUTHS.flatMap((truth) =>
    (['random', 'by-verdict', 'halves', 'fails-first'] as const).map((chosen) => ({ truth, cases, labels, chosen })),
  ),
);

/** Cases in correlated groups, labelled at random and by verdict. */
export const groupGrid: readonly LabelSetting[] = [2, 5].flatMap((groupOf) =>
  ([[0.8, 0.9, 0.8], [0.6, 0.85, 0.85]] as const).flatMap((truth) =>
    (['random', 'by-verdict'] as const).map((chosen) => ({ truth, cases: 300, labels: 100, chosen, groupOf })),
  ),
);

interface Drawn {
  readonly truth: boolean;
  readonly judge: boolean;
  readonly group: string | null;
}

export function labelCoverage(setting: LabelSetting, draws: number, seed: number): LabelCoverage {
  const random = createRandom(seed);
  const chance = (share: number) => random() / 2 ** 32 < share;
  const tallies = { these: tally(), like: tally(), agreement: tally(), kappa: tally(), ac1: tally() };
  let flagged = 0;
  for (let draw = 0; draw < draws; draw++) {
    const things = drawThings(setting, chance);
    const labelled = new Set(chooseThings(things, setting, chance));
    const judged: Judged = { judgements: things.map(judgementOf), instruments: [] };
    const labels = things.flatMap((one, index) => (labelled.has(index) ? [labelOf(one, index)] : []));
    const [kind] = calibrate(judged, labels).kinds;
    if (kind === undefined) throw new Error('nothing is labelled');
    if (kind.draw.differs) flagged += 1;
    tallies.these.add(kind.passRate.these, things.filter(({ truth }) => truth).length / things.length);
    const values = trueValues(setting.truth);
    tallies.like.add(kind.passRate.like, setting.truth[0]);
    tallies.agreement.add(kind.raw.interval, values.agreement);
    tallies.kappa.add(kind.kappa.interval, values.kappa);
    tallies.ac1.add(kind.ac1.interval, values.ac1);
  }
  return {
    these: tallies.these.coverage(),
    like: tallies.like.coverage(),
    agreement: tallies.agreement.coverage(),
    kappa: tallies.kappa.coverage(),
    ac1: tallies.ac1.coverage(),
    flagged: flagged / draws,
  };
}

function tally() {
  let [held, width, draws] = [0, 0, 0];
  return {
    add(interval: Interval | Unknown, truth: number) {
      if (isUnknown(interval)) return;
      draws += 1;
      width += interval.high - interval.low;
      if (interval.low - 1e-9 <= truth && truth <= interval.high + 1e-9) held += 1;
    },
    coverage: (): Coverage => ({ held: held / draws, width: width / draws, draws }),
  };
}

function drawThings({ truth, cases, groupOf = 1 }: LabelSetting, chance: (share: number) => boolean): readonly Drawn[] {
  const [rate, sensitivity, specificity] = truth;
  // Each group has a high or a low rate, with equal probability.
  const spread = Math.min(rate, 1 - rate) * 0.9;
  let ofGroup = rate;
  return Array.from({ length: cases }, (_, index) => {
    if (groupOf > 1 && index % groupOf === 0) ofGroup = chance(0.5) ? rate + spread : rate - spread;
    const passes = chance(ofGroup);
    const judge = passes ? chance(sensitivity) : !chance(specificity);
    return { truth: passes, judge, group: groupOf > 1 ? `group-${Math.floor(index / groupOf)}` : null };
  });
}

/** Chooses the indices to label. */
function chooseThings(
  things: readonly Drawn[],
  { labels, chosen }: LabelSetting,
  chance: (share: number) => boolean,
): readonly number[] {
  const places = shuffled(things.map((_, index) => index), chance);
  if (chosen === 'random') return places.slice(0, labels);
  const passed = places.filter((place) => things[place]?.judge === true);
  const failed = places.filter((place) => things[place]?.judge === false);
  if (chosen === 'by-verdict') {
    return Array.from({ length: labels }, () => {
      const isPass = failed.length === 0 || (passed.length > 0 && chance(0.5));
      return (isPass ? passed : failed).shift() as number;
    });
  }
  const half = Math.max(Math.floor(labels / 2), labels - passed.length);
  const ofFails = Math.min(failed.length, chosen === 'halves' ? half : labels - Math.min(5, passed.length));
  return [...failed.slice(0, ofFails), ...passed.slice(0, labels - ofFails)];
}

function shuffled(places: readonly number[], chance: (share: number) => boolean): readonly number[] {
  const all = [...places];
  for (let last = all.length - 1; last > 0; last--) {
    // Draws an index from 0 to `last` uniformly, using a series of yes-or-no draws.
    let place = 0;
    while (place < last && !chance(1 / (last + 1 - place))) place += 1;
    [all[last], all[place]] = [all[place] as number, all[last] as number];
  }
  return all;
}

function trueValues([rate, sensitivity, specificity]: LabelSetting['truth']) {
  const judge = rate * sensitivity + (1 - rate) * (1 - specificity);
  const agreement = rate * sensitivity + (1 - rate) * specificity;
  const byChance = judge * rate + (1 - judge) * (1 - rate);
  const mean = (judge + rate) / 2;
  const expected = 2 * mean * (1 - mean);
  return {
    agreement,
    kappa: (agreement - byChance) / (1 - byChance),
    ac1: (agreement - expected) / (1 - expected),
  };
}

const about = (index: number) => ({
  setId: 'home',
  caseId: `case-${index}`,
  repeat: 0,
  turn: 0,
  criterion: 'polite',
  rubric: null,
});

function judgementOf({ judge, group }: Drawn, index: number): Judgement {
  return { ...about(index), group, passed: judge, reason: null };
}

function labelOf({ truth }: Drawn, index: number): Label {
  return { ...about(index), label: truth ? 'pass' : 'fail', reason: null, by: 'ada', at: 1 };
}
