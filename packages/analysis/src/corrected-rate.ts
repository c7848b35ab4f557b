import {
  clopperPearsonInterval,
  type Interval,
  isUnknown,
  ppiMean,
  ppiPlusPlusMeanCrossFit,
  type Unknown,
} from '@agent-criteria/statistics';
import { clustered, FEWEST_CASES, fewCases } from './agreement.ts';
import type { Estimate } from './estimate.ts';
import { estimateOf, meanOf, RATE } from './estimate-of.ts';

/** A thing that the judge gave a verdict on, and people perhaps. */
export interface JudgedThing {
  readonly cluster: string;
  /** `null`: it could not be judged. */
  readonly judge: boolean | null;
  /** `null`: there are no labels, or as many for as against. */
  readonly people: boolean | null;
}

/** The share that passes: as the judge has it, as people have it, and as people would have it for all cases. Plain JSON. */
export interface CorrectedRate {
  /** By the judge alone, over all cases. */
  readonly judge: Estimate;
  /** By people alone, over labelled cases. */
  readonly people: Estimate;
  /**
   * The judge's, corrected by the labels, or why that cannot be said: PPI++ with cross-fitting from 60 labelled cases on, PPI below.
   */
  readonly corrected: Corrected | Unknown;
  /** The same by plain PPI, which trusts the judge fully: wider, above all where most cases are labelled. */
  readonly plain: Corrected | Unknown;
  /** How many more cases have to be labelled until the interval of `corrected` is half as wide; or why no number would do. */
  readonly moreLabels: number | Unknown;
}

export interface Corrected extends Interval {
  readonly value: number;
  /** Labelled cases, and those that only the judge saw. */
  readonly labelled: number;
  readonly unlabelled: number;
  /** `bounds`: all labels agree with the judge, so that the interval is the judge's, wider by how often it may still be wrong. */
  readonly method: 'ppi' | 'ppi-cross-fit' | 'bounds';
}

/** With 40 to 59 labelled cases, intervals with cross-fitting hold the true rate in as few as 90.8% of draws, plain ones in 93.7%. */
const FEWEST_WEIGHTED = 60;

/** The case is the unit: things of one case give one mean. Labels have to be of cases that were drawn at random. */
export function correctedRate(things: readonly JudgedThing[], level: number): CorrectedRate {
  const clusters = clustered(things);
  const judge = estimateOf(
    clusters.map((own) => {
      const values = own.flatMap((one) => (one.judge === null ? [] : [Number(one.judge)]));
      const missing = own.length - values.length;
      const sum = values.reduce((all, value) => all + value, 0);
      const open = missing === 0 ? null : { worst: sum / own.length, best: (sum + missing) / own.length, missing };
      return { group: null, values, open };
    }),
    RATE,
    level,
  );
  const labelledOf = (own: readonly JudgedThing[]) => own.filter((one) => one.people !== null && one.judge !== null);
  const labelled = clusters.map(labelledOf).filter((own) => own.length > 0);
  const unlabelled = clusters.filter((own) => own.every((one) => one.people === null && one.judge !== null));
  const people = estimateOf(
    labelled.map((own) => ({ group: null, values: own.map((one) => Number(one.people)), open: null })),
    RATE,
    level,
  );
  const data = {
    human: labelled.map((own) => meanOf(own.map((one) => Number(one.people)))),
    judgeLabelled: labelled.map((own) => meanOf(own.map((one) => Number(one.judge)))),
    judgeUnlabelled: unlabelled.map((own) => meanOf(own.map((one) => Number(one.judge)))),
    level,
  };
  return { judge, people, ...correctedOf(data) };
}

interface Data {
  readonly human: readonly number[];
  readonly judgeLabelled: readonly number[];
  readonly judgeUnlabelled: readonly number[];
  readonly level: number;
}

function correctedOf(data: Data): Pick<CorrectedRate, 'corrected' | 'plain' | 'moreLabels'> {
  const { human, judgeLabelled, judgeUnlabelled } = data;
  const [m, n] = [human.length, judgeUnlabelled.length];
  const all = (why: Unknown) => ({ corrected: why, plain: why, moreLabels: why });
  if (m < FEWEST_CASES) return all(fewCases(m));
  if (n < 2) return all({ unknown: 'all cases are labelled, so use the rate by people' });
  const counts = { labelled: m, unlabelled: n };
  if (human.every((one, index) => one === judgeLabelled[index])) {
    const why = { unknown: 'all labels agree with the judge, so the spread of its mistakes is unknown' };
    return { corrected: { ...boundsOf(data), ...counts, method: 'bounds' }, plain: why, moreLabels: why };
  }
  const plain = ppiMean(data);
  if (isUnknown(plain)) return all(plain);
  const fitted = m < FEWEST_WEIGHTED ? plain : ppiPlusPlusMeanCrossFit(data);
  if (isUnknown(fitted)) return all(fitted);
  return {
    corrected: { ...clipped(fitted), ...counts, method: m < FEWEST_WEIGHTED ? 'ppi' : 'ppi-cross-fit' },
    plain: { ...clipped(plain), ...counts, method: 'ppi' },
    moreLabels: moreLabels(data),
  };
}

/** With no mistake seen, a rate of mistakes of up to about 3 / m cannot be excluded. Half of the error goes to each of the two. */
function boundsOf({ judgeLabelled, judgeUnlabelled, level }: Data): Interval & { readonly value: number } {
  const all = [...judgeLabelled, ...judgeUnlabelled];
  const half = 1 - (1 - level) / 2;
  const { interval } = estimateOf(
    all.map((value) => ({ group: null, values: [value], open: null })),
    RATE,
    half,
  );
  const mistakes = clopperPearsonInterval(0, judgeLabelled.length, half);
  const most = isUnknown(mistakes) ? 1 : mistakes.high;
  const own = isUnknown(interval) ? { low: 0, high: 1 } : interval;
  return { value: meanOf(all), low: Math.max(0, own.low - most), high: Math.min(1, own.high + most) };
}

/**
 * The fewest more labels of the cases at hand after which the variance is a quarter of what it is: with the best weight of the
 * judge, (var(y) - cov(y, f)^2 / var(f) N / (N + m)) / m for m labelled and N other cases.
 */
function moreLabels({ human, judgeLabelled, judgeUnlabelled }: Data): number | Unknown {
  const [m, n] = [human.length, judgeUnlabelled.length];
  const ofPeople = covarianceOf(human, human);
  const judge = [...judgeLabelled, ...judgeUnlabelled];
  const ofJudge = covarianceOf(judge, judge);
  const explained = ofJudge === 0 ? 0 : covarianceOf(human, judgeLabelled) ** 2 / ofJudge;
  const variance = (more: number) => (ofPeople - (explained * (n - more)) / (n + m)) / (m + more);
  const now = variance(0);
  for (let more = 1; more <= n && now > 0; more++) if (variance(more) <= now / 4) return more;
  return { unknown: 'even labelling every case of this run would not halve the interval' };
}

function clipped({ estimate, low, high }: Interval & { readonly estimate: number }) {
  const share = (value: number) => Math.min(1, Math.max(0, value));
  return { value: share(estimate), low: share(low), high: share(high) };
}

function covarianceOf(a: readonly number[], b: readonly number[]): number {
  const [meanA, meanB] = [meanOf(a), meanOf(b)];
  const products = a.reduce((sum, value, index) => sum + (value - meanA) * ((b[index] as number) - meanB), 0);
  return products / (a.length - 1);
}
