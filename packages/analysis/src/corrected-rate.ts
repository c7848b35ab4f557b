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
  /** `null`: nobody labelled it, or people are divided. */
  readonly people: boolean | null;
}

/** The share that passes: as the judge has it, as people have it, and as people would have it for all cases. Plain JSON. */
export interface CorrectedRate {
  /** By the judge alone, over all cases. */
  readonly judge: Estimate;
  /** By people alone, over labelled cases. */
  readonly people: Estimate;
  /** The judge's, corrected by the labels (PPI); or why that cannot be said. */
  readonly corrected: Corrected | Unknown;
  /** The same with the judge weighted by how much it knows (PPI++ with cross-fitting): narrower. */
  readonly weighted: Corrected | Unknown;
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

/** Cross-fitting was measured from this many labels on. */
const FEWEST_WEIGHTED = 40;

/** The case is the unit: things of one case give one mean. Labels have to be of cases that were drawn at random. */
export function correctedRate(things: readonly JudgedThing[], level: number): CorrectedRate {
  const clusters = clustered(things);
  const judge = estimateOf(
    clusters.map((own) => {
      const values = own.flatMap((one) => (one.judge === null ? [] : [Number(one.judge)]));
      const missing = own.length - values.length;
      const sum = values.reduce((all, value) => all + value, 0);
      const open = missing === 0 ? null : { worst: sum / own.length, best: (sum + missing) / own.length };
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

function correctedOf(data: Data): Pick<CorrectedRate, 'corrected' | 'weighted' | 'moreLabels'> {
  const { human, judgeLabelled, judgeUnlabelled } = data;
  const [m, n] = [human.length, judgeUnlabelled.length];
  const all = (why: Unknown) => ({ corrected: why, weighted: why, moreLabels: why });
  if (m < FEWEST_CASES) return all(fewCases(m));
  if (n < 2) return all({ unknown: 'all cases are labelled: the rate by people is what you look for' });
  const errors = human.map((one, index) => one - (judgeLabelled[index] as number));
  const counts = { labelled: m, unlabelled: n };
  if (errors.every((error) => error === 0)) {
    return {
      corrected: { ...boundsOf(data), ...counts, method: 'bounds' },
      weighted: { unknown: 'all labels agree with the judge, so that there is nothing to weigh' },
      moreLabels: { unknown: 'all labels agree with the judge, so that its mistakes have no measured spread' },
    };
  }
  const plain = ppiMean(data);
  const fitted = m < FEWEST_WEIGHTED ? fewWeighted(m) : ppiPlusPlusMeanCrossFit(data);
  if (isUnknown(plain)) return all(plain);
  return {
    corrected: { ...clipped(plain), ...counts, method: 'ppi' },
    weighted: isUnknown(fitted) ? fitted : { ...clipped(fitted), ...counts, method: 'ppi-cross-fit' },
    moreLabels: moreLabels(
      plain.se,
      {
        errors: varianceOf(errors),
        judge: varianceOf([...judgeLabelled, ...judgeUnlabelled]),
        people: varianceOf(human),
      },
      counts,
    ),
  };
}

function fewWeighted(labelled: number): Unknown {
  return {
    unknown: `${labelled} labelled cases are too few to weigh the judge: at least ${FEWEST_WEIGHTED} are needed`,
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

/** The fewest more labels of the cases at hand after which the standard error, of PPI or of people alone, is half of what it is. */
function moreLabels(
  se: number,
  variance: { readonly errors: number; readonly judge: number; readonly people: number },
  { labelled: m, unlabelled: n }: Pick<Corrected, 'labelled' | 'unlabelled'>,
): number | Unknown {
  const enough = (se / 2) ** 2;
  for (let more = 1; more <= n; more++) {
    const byJudge =
      more > n - 2 ? Number.POSITIVE_INFINITY : variance.judge / (n - more) + variance.errors / (m + more);
    if (Math.min(byJudge, variance.people / (m + more)) <= enough) return more;
  }
  return { unknown: 'labels alone would not halve it: the run has too few cases' };
}

function clipped({ estimate, low, high }: Interval & { readonly estimate: number }) {
  const share = (value: number) => Math.min(1, Math.max(0, value));
  return { value: share(estimate), low: share(low), high: share(high) };
}

function varianceOf(values: readonly number[]): number {
  const mean = meanOf(values);
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
}
