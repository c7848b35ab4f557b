import { type Interval, normalQuantile, squareAndAddInterval, studentTQuantile } from '@agent-criteria/statistics';

/** A judged item, possibly labelled by people. */
export interface JudgedThing {
  /** The case it belongs to. Every case has the same weight. */
  readonly caseKey: string;
  /** Its cluster: all items of a case, or of all cases of a group. */
  readonly cluster: string;
  /** `null` if it could not be judged. */
  readonly judge: boolean | null;
  /** `null` if there are no labels, or as many for as against. */
  readonly people: boolean | null;
}

export interface Stratum {
  /** The stratum's share of all judged items. */
  readonly share: number;
  readonly things: number;
  readonly labelled: number;
  /** The pass rate of its labelled items according to their human labels, or `null` if none is labelled. */
  readonly rate: number | null;
  /** The share of all judged items that have this verdict and that people pass. `open` is the share without a label. */
  readonly passed: number;
  readonly open: number;
}

/**
 * Judged items in two strata, by the verdict of the judge. Labelled items represent the others of their stratum, so
 * that results are valid however many of each verdict were labelled.
 */
export interface VerdictStrata {
  readonly passes: Stratum;
  readonly fails: Stratum;
  /**
   * The pass rate of all labelled items according to their human labels, regardless of strata, or `null` if there are
   * none.
   */
  readonly labelledRate: number | null;
  /** The number of cases, or groups, with a label. */
  readonly labelledClusters: number;
  /** The verdicts that occur among judged items and have no label. */
  readonly unlabelled: readonly ('pass' | 'fail')[];
  /** Computes a function of the three rates, with its interval. Requires a label for every verdict that occurs. */
  interval(of: OfRates, target: Target, level: number): Interval & { readonly value: number };
  /** The interval's width for the cases at hand with `more` labels, spread as evenly over the verdicts as possible. */
  widths(of: OfRates, level: number): (more: number) => number;
}

/** A function of the judge's pass rate, and of people's pass rates for the items that the judge passed and failed. */
export type OfRates = (judge: number, ofPasses: number, ofFails: number) => number;

/** `these`: the cases at hand; `like`: cases like these, from which the cases at hand were drawn. */
export type Target = 'these' | 'like';

interface Item extends Pick<JudgedThing, 'cluster' | 'people'> {
  readonly judge: boolean;
  /** The weights of the items of one case add up to 1. */
  readonly weight: number;
}

export function verdictStrata(things: readonly JudgedThing[]): VerdictStrata {
  const items = itemsOf(things);
  const [passes, fails] = [stratumOf(items, true), stratumOf(items, false)];
  const labelled = items.filter(({ people }) => people !== null);
  const labelledClusters = new Set(labelled.map(({ cluster }) => cluster)).size;
  const unlabelled = [['pass', passes] as const, ['fail', fails] as const].flatMap(([word, one]) =>
    one.things > 0 && one.labelled === 0 ? [word] : [],
  );
  const point = [passes.share, passes.rate ?? 0, fails.rate ?? 0] as const;
  const isClustered = items.length > new Set(items.map(({ cluster }) => cluster)).size;

  const sizes = {
    judged: kishSize(items),
    passes: kishSize(labelled.filter(({ judge }) => judge)),
    fails: kishSize(labelled.filter(({ judge }) => !judge)),
  };

  /** The factor by which clusters inflate the variance, including Student's t if there are few. */
  const inflation = (of: OfRates, target: Target, level: number): number => {
    if (!isClustered) return 1;
    const tail = (1 - level) / 2;
    const t = studentTQuantile(tail, Math.max(1, labelledClusters - 1)) / normalQuantile(tail);
    return designEffect(items, passes, fails, of, target) * t ** 2;
  };
  const interval = (of: OfRates, target: Target, level: number, inflated: number, more = 0) => {
    const added = { passes: Math.min(passes.things - passes.labelled, more / 2), fails: 0 };
    added.fails = Math.min(fails.things - fails.labelled, more - added.passes);
    added.passes = Math.min(passes.things - passes.labelled, more - added.fails);
    const rate = (stratum: Stratum, plus: number, size: number) => {
      const unseen =
        target === 'like' ? 1 : Math.max(0, stratum.things - stratum.labelled - plus) / Math.max(1, stratum.things - 1);
      const n = (size * (stratum.labelled + plus)) / stratum.labelled / inflated;
      return { rate: stratum.rate ?? 0, n, unseen };
    };
    // Constants are left out: the share of each verdict in this run, and a verdict that does not occur.
    const rates = [
      ...(target === 'like' && passes.things > 0 && fails.things > 0
        ? [{ at: 0, rate: passes.share, n: sizes.judged / inflated }]
        : []),
      ...(passes.things > 0 ? [{ at: 1, ...rate(passes, added.passes, sizes.passes) }] : []),
      ...(fails.things > 0 ? [{ at: 2, ...rate(fails, added.fails, sizes.fails) }] : []),
    ];
    return squareAndAddInterval(
      rates,
      (moved) => {
        const all: [number, number, number] = [...point];
        for (const [index, { at }] of rates.entries()) all[at as 0 | 1 | 2] = moved[index] as number;
        return of(...all);
      },
      level,
    );
  };
  return {
    passes,
    fails,
    labelledRate:
      labelled.length === 0 ? null : weightOf(labelled.filter(({ people }) => people === true)) / weightOf(labelled),
    labelledClusters,
    unlabelled,
    interval: (of, target, level) => interval(of, target, level, inflation(of, target, level)),
    widths(of, level) {
      const inflated = inflation(of, 'these', level);
      return (more) => {
        const { low, high } = interval(of, 'these', level, inflated, more);
        return high - low;
      };
    },
  };
}

function itemsOf(things: readonly JudgedThing[]): readonly Item[] {
  const judged = things.flatMap(({ judge, ...one }) => (judge === null ? [] : [{ ...one, judge }]));
  const sizes = new Map<string, number>();
  for (const { caseKey } of judged) sizes.set(caseKey, (sizes.get(caseKey) ?? 0) + 1);
  return judged.map(({ caseKey, cluster, judge, people }) => {
    return { cluster, judge, people, weight: 1 / (sizes.get(caseKey) as number) };
  });
}

function stratumOf(items: readonly Item[], verdict: boolean): Stratum {
  const own = items.filter(({ judge }) => judge === verdict);
  const labelled = own.filter(({ people }) => people !== null);
  const total = weightOf(items);
  const passed = weightOf(labelled.filter(({ people }) => people === true));
  // Counts items if weights are equal, so that a share of whole numbers is exact.
  const isEven = labelled.every(({ weight }) => weight === labelled[0]?.weight);
  const passes = labelled.filter(({ people }) => people === true).length;
  return {
    share: total === 0 ? 0 : weightOf(own) / total,
    things: own.length,
    labelled: labelled.length,
    rate: labelled.length === 0 ? null : isEven ? passes / labelled.length : passed / weightOf(labelled),
    passed: total === 0 ? 0 : passed / total,
    open: total === 0 ? 0 : (weightOf(own) - weightOf(labelled)) / total,
  };
}

/**
 * Computes the design effect, at least 1: the variance between clusters divided by that of independent items, from the
 * influence of each cluster (Taylor linearisation), which includes the effect of clusters on verdicts and labels
 * together.
 */
function designEffect(items: readonly Item[], passes: Stratum, fails: Stratum, of: OfRates, target: Target): number {
  const point = [passes.share, passes.rate ?? 0, fails.rate ?? 0] as const;
  const slope = (at: 0 | 1 | 2) => {
    const [low, high] = [Math.max(0, point[at] - 1e-4), Math.min(1, point[at] + 1e-4)];
    const moved = (value: number) => {
      const all: [number, number, number] = [...point];
      all[at] = value;
      return of(...all);
    };
    return (moved(high) - moved(low)) / (high - low);
  };
  const slopes = [target === 'like' ? slope(0) : 0, slope(1), slope(2)] as const;
  const labelled = items.filter(({ people }) => people !== null);
  const labelledWeights = [
    weightOf(labelled.filter(({ judge }) => judge)),
    weightOf(labelled.filter((one) => !one.judge)),
  ];
  const total = weightOf(items);
  const influences = new Map<string, number>();
  for (const { cluster, judge, people, weight } of items) {
    let influence = (slopes[0] * weight * (Number(judge) - point[0])) / total;
    if (people !== null) {
      const [at, own] = judge ? [1 as const, labelledWeights[0]] : [2 as const, labelledWeights[1]];
      influence += (slopes[at] * weight * (Number(people) - point[at])) / (own as number);
    }
    influences.set(cluster, (influences.get(cluster) ?? 0) + influence);
  }
  const clusters = influences.size;
  const between =
    [...influences.values()].reduce((sum, one) => sum + one ** 2, 0) * (clusters / Math.max(1, clusters - 1));
  const spread = (at: 0 | 1 | 2, own: readonly Item[]) =>
    own.length === 0 ? 0 : (slopes[at] ** 2 * point[at] * (1 - point[at])) / kishSize(own);
  const independent =
    spread(0, items) +
    spread(
      1,
      labelled.filter(({ judge }) => judge),
    ) +
    spread(
      2,
      labelled.filter(({ judge }) => !judge),
    );
  // Without any spread, the items in a cluster may be identical.
  if (independent < 1e-12) return kishSize(labelled) / kishSize(clusteredWeights(labelled));
  return Math.max(1, between / independent);
}

function clusteredWeights(items: readonly Item[]): readonly Pick<Item, 'weight'>[] {
  const weights = new Map<string, number>();
  for (const { cluster, weight } of items) weights.set(cluster, (weights.get(cluster) ?? 0) + weight);
  return [...weights.values()].map((weight) => ({ weight }));
}

/** The effective number of items (Kish). */
function kishSize(items: readonly Pick<Item, 'weight'>[]): number {
  const squares = items.reduce((sum, { weight }) => sum + weight ** 2, 0);
  return squares === 0 ? 0 : weightOf(items) ** 2 / squares;
}

function weightOf(items: readonly Pick<Item, 'weight'>[]): number {
  return items.reduce((sum, { weight }) => sum + weight, 0);
}
