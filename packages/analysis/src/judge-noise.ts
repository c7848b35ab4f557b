import { groupBy } from '@agent-criteria/results';
import { isUnknown, type Unknown, varianceComponents } from '@agent-criteria/statistics';
import { type CaseName, caseKey, clusterOf } from './case-key.ts';
import { type Estimate, estimateOf, isTooLarge, meanOf, RATE } from './estimate.ts';
import type { Instrument } from './instrument.ts';
import { type MeasuredFile, type MeasuredNoise, measuredFile, measuredOf, numberOf } from './measured.ts';

/** The scores and verdicts of one criterion for one conversation (a repeat of a case) each time it was judged. */
export interface JudgedAgain extends CaseName {
  readonly variant?: string | undefined;
  readonly group: string | null;
  /** The agent's repeat, from 0. */
  readonly repeat: number;
  /** The score from each round of judging, or `null` if it has none. */
  readonly scores: readonly (number | null)[];
  /** The verdict from each round of judging on each turn, or on the conversation, or `null` if there is none. */
  readonly verdicts: readonly (readonly (boolean | null)[])[];
  /** The verdicts on each rubric. Default: the criterion has no rubrics. */
  readonly rubrics?: readonly { readonly rubric: string; readonly verdicts: JudgedAgain['verdicts'] }[] | undefined;
}

/** How often verdicts change if the same answers are judged again. Plain JSON. */
export interface VerdictNoise {
  /** The number of verdicts that were given at least twice. */
  readonly verdicts: number;
  /** The share of verdicts that were not the same each time. */
  readonly flipped: Estimate;
  /** The share of pairs of rounds that disagree: how often judging once more changes a verdict. */
  readonly differ: Estimate;
  /** The verdicts that flipped, in the order of the run. */
  readonly flips: readonly Flip[];
}

export interface RubricNoise extends VerdictNoise {
  readonly rubric: string;
}

/** The judge's contribution to the spread of a criterion's scores. Plain JSON. */
export interface JudgeNoise extends VerdictNoise {
  readonly criterion: string;
  readonly instrument: Instrument;
  readonly repeats: number;
  readonly cases: number;
  /** In the order in which rubrics were judged. Empty if there are none. */
  readonly rubrics: readonly RubricNoise[];
  /** The standard deviation of a conversation's score when it is judged again. */
  readonly judgeSd: number | Unknown;
  /** The standard deviation when the agent runs again and is judged without noise. */
  readonly agentSd: number | Unknown;
  /** The judge's share of the variance between repeats. */
  readonly judgeShare: number | Unknown;
  /**
   * If the same answers are judged twice, the means differ by less than this 95 times in 100: 1.96 standard deviations
   * of the difference.
   */
  readonly differenceFloor: number | Unknown;
  /** The number of rounds without a score, which are left out. */
  readonly unjudged: number;
}

export interface Flip extends Pick<JudgedAgain, 'setId' | 'caseId' | 'variant' | 'repeat'> {
  readonly passed: number;
  readonly of: number;
}

/**
 * Separates a judge's noise from the agent's: the variance between rounds of judging one conversation is the judge's;
 * the variance between repeats of a case, less what remains of the judge's, is the agent's.
 */
export function judgeNoise(instrument: Instrument, all: readonly JudgedAgain[], level = 0.95): JudgeNoise {
  const scored = all.map((one) => ({ ...one, values: one.scores.filter((score) => score !== null) }));
  const judged = scored.filter(({ values }) => values.length > 0);
  const large = judged.find(({ values }) => values.some(isTooLarge));
  const judge: number | Unknown = large
    ? { unknown: `a score of the case ${large.caseId} is too large to compute with` }
    : spreadOf(judged.map(({ values }) => values));
  const agent = agentVariance(judged, judge);
  const rubrics = new Set(all.flatMap((one) => (one.rubrics ?? []).map(({ rubric }) => rubric)));
  const total = isUnknown(judge) ? judge : isUnknown(agent) ? agent : judge + agent;
  return {
    criterion: instrument.criterion,
    instrument,
    repeats: Math.max(0, ...all.map(({ scores }) => scores.length)),
    cases: new Set(all.map(caseKey)).size,
    ...verdictNoise(all, level),
    rubrics: [...rubrics].map((rubric) => {
      const own = all.flatMap((one) =>
        (one.rubrics ?? []).flatMap((of) => (of.rubric === rubric ? [{ ...one, verdicts: of.verdicts }] : [])),
      );
      return { rubric, ...verdictNoise(own, level) };
    }),
    judgeSd: isUnknown(judge) ? judge : Math.sqrt(judge),
    agentSd: isUnknown(agent) ? agent : Math.sqrt(agent),
    judgeShare: isUnknown(total)
      ? total
      : total === 0
        ? { unknown: 'there is no spread between repeats' }
        : (judge as number) / total,
    differenceFloor: floorOf(judged, judge),
    unjudged: all.reduce((sum, { scores }) => sum + scores.filter((score) => score === null).length, 0),
  };
}

/** A run's mean is the mean of its cases, each of which is the mean of its repeats. */
function floorOf(judged: readonly JudgedAgain[], judge: number | Unknown): number | Unknown {
  if (isUnknown(judge)) return judge;
  if (judge === 0) return { unknown: 'the judge gave the same score each time' };
  const cases = groupBy(judged, variantKey);
  const ofMean = [...cases.values()].reduce((sum, { length }) => sum + judge / length, 0) / cases.size ** 2;
  return 1.96 * Math.sqrt(2 * ofMean);
}

function verdictNoise(all: readonly JudgedAgain[], level: number): VerdictNoise {
  const verdicts = all.flatMap((one) =>
    one.verdicts.flatMap((own) => {
      const given = own.filter((verdict) => verdict !== null);
      return given.length < 2 ? [] : [{ cluster: clusterOf(one), given }];
    }),
  );
  const share = (of: (given: readonly boolean[]) => number): Estimate => {
    const cases = [...groupBy(verdicts, ({ cluster }) => cluster).values()].map((own) => {
      return { group: null, values: own.map(({ given }) => of(given)), open: null };
    });
    return estimateOf(cases, RATE, level);
  };
  return {
    verdicts: verdicts.length,
    flipped: share((given) => Number(given.some((one) => one !== given[0]))),
    differ: share(pairsThatDiffer),
    flips: all.flatMap((one) => flipsOf(one)),
  };
}

/** Creates a file with the measured noise, to be committed. */
export function noiseFile(noises: readonly JudgeNoise[], run: string, date: Date): MeasuredFile {
  return measuredFile(
    noises.map((noise): MeasuredNoise => {
      const { instrument, repeats, cases, flipped, judgeSd, differenceFloor } = noise;
      return {
        measured: 'noise',
        ...measuredOf(instrument, run, date),
        repeats,
        cases,
        flipped: numberOf(flipped.value, flipped.interval),
        judgeSd: isUnknown(judgeSd) ? null : judgeSd,
        differenceFloor: isUnknown(differenceFloor) ? null : differenceFloor,
      };
    }),
  );
}

function agentVariance(
  judged: readonly (JudgedAgain & { readonly values: readonly number[] })[],
  judge: number | Unknown,
): number | Unknown {
  if (isUnknown(judge)) return judge;
  const cases = [...groupBy(judged, variantKey).values()];
  const found = varianceComponents(cases.map((own) => own.map(({ values }) => meanOf(values))));
  if (isUnknown(found)) return { unknown: 'each case ran only once; use a run with repeats' };
  const repeated = cases.filter(({ length }) => length > 1).flat();
  const left = meanOf(repeated.map(({ values }) => judge / values.length));
  return Math.max(0, found.within - left);
}

function variantKey({ setId, caseId, variant }: JudgedAgain): string {
  return JSON.stringify([setId, caseId, variant]);
}

function spreadOf(judged: readonly (readonly number[])[]): number | Unknown {
  const found = varianceComponents(judged);
  if (!isUnknown(found)) return found.within;
  return { unknown: judged.length === 0 ? 'no conversation has a score' : 'no conversation was judged twice' };
}

/** Computes the share of pairs that differ: 2 a b / (k (k - 1)) for a passes and b fails out of k verdicts. */
function pairsThatDiffer(given: readonly boolean[]): number {
  const passed = given.filter(Boolean).length;
  return (2 * passed * (given.length - passed)) / (given.length * (given.length - 1));
}

function flipsOf({ setId, caseId, variant, repeat, verdicts }: JudgedAgain): readonly Flip[] {
  return verdicts.flatMap((own) => {
    const given = own.filter((verdict) => verdict !== null);
    const passed = given.filter(Boolean).length;
    if (passed === 0 || passed === given.length) return [];
    return [{ setId, caseId, ...(variant === undefined ? {} : { variant }), repeat, passed, of: given.length }];
  });
}
