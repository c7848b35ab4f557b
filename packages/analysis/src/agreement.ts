import { type Interval, isUnknown, type Unknown } from '@agent-criteria/statistics';
import { missingLabels } from './corrected-rate.ts';
import { FEWEST_CASES, fewCases } from './few-cases.ts';
import type { OfRates, VerdictStrata } from './verdict-strata.ts';

export interface VerdictPair {
  readonly judge: boolean;
  readonly people: boolean;
}

export interface ConfusionTable {
  readonly bothPass: number;
  /** Passed by the judge, failed by people. */
  readonly judgePassesOnly: number;
  /** Passed by people, failed by the judge. */
  readonly peoplePassOnly: number;
  readonly bothFail: number;
}

/** Agreement between a judge and people. Plain JSON. */
export interface Agreement {
  /** Unweighted counts of labelled items. */
  readonly table: ConfusionTable;
  /** The share of items on which the verdicts match. */
  readonly raw: Coefficient;
  readonly kappa: Coefficient;
  readonly ac1: Coefficient;
  /** The judge's only verdict, or `null` if it gave both or judged fewer than two items. */
  readonly oneVerdict: 'pass' | 'fail' | null;
  /**
   * The verdict that people gave more often, and how often a judge that always gave it would agree, or `null` if
   * unknown.
   */
  readonly majority: Majority | null;
  /** Whether agreement beyond chance was shown, or `null` if unknown (see `whyNot`). */
  readonly beyondChance: boolean | null;
  readonly whyNot: string | null;
}

export interface Majority {
  readonly verdict: 'pass' | 'fail';
  readonly share: number;
}

/** A share or an agreement coefficient; 1 is perfect. */
export interface Coefficient {
  readonly value: number | Unknown;
  readonly interval: Interval | Unknown;
}

const rawOf: OfRates = (judge, ofPasses, ofFails) => judge * ofPasses + (1 - judge) * (1 - ofFails);

/** Computes kappa, which is 0 if either rater gave the same verdict throughout. */
const kappaOf: OfRates = (judge, ofPasses, ofFails) => {
  const people = judge * ofPasses + (1 - judge) * ofFails;
  const disagreement = judge * (1 - people) + (1 - judge) * people;
  return disagreement === 0 ? 0 : (2 * judge * (1 - judge) * (ofPasses - ofFails)) / disagreement;
};

const ac1Of: OfRates = (judge, ofPasses, ofFails) => {
  const passes = (judge + judge * ofPasses + (1 - judge) * ofFails) / 2;
  const expected = 2 * passes * (1 - passes);
  return (rawOf(judge, ofPasses, ofFails) - expected) / (1 - expected);
};

/**
 * Computes raw agreement, Cohen's kappa and Gwet's AC1 over all judged items, stratified by the judge's verdict so that
 * a verdict that was labelled more often does not count for more. The intervals are for cases like these.
 */
export function agreementOf(strata: VerdictStrata, pairs: readonly VerdictPair[], level: number): Agreement {
  const { passes, fails, labelledClusters } = strata;
  const oneVerdict = onlyVerdict(strata);
  const missing: Unknown | null =
    pairs.length === 0 ? { unknown: 'nothing has both a label and a verdict' } : missingLabels(strata);
  const few = labelledClusters < FEWEST_CASES ? fewCases(labelledClusters) : null;
  const coefficient = (of: OfRates, least: number, why: Unknown | null): Coefficient => {
    if (missing !== null) return { value: missing, interval: missing };
    const { value, low, high } = strata.interval(of, 'like', level);
    return { value, interval: why ?? { low: Math.max(least, low), high: Math.min(1, high) } };
  };
  const people = missing === null ? passes.share * (passes.rate ?? 0) + fails.share * (fails.rate ?? 0) : null;
  const whole = few ?? tooRare(strata);
  const kappa =
    (fails.things === 0 && people === 1) || (passes.things === 0 && people === 0)
      ? { value: same, interval: same }
      : coefficient(kappaOf, -1, whole);
  return {
    table: tableOf(pairs),
    raw: coefficient(rawOf, 0, null),
    kappa,
    ac1: coefficient(ac1Of, -1, few),
    oneVerdict,
    majority:
      people === null ? null : { verdict: people >= 0.5 ? 'pass' : 'fail', share: Math.max(people, 1 - people) },
    ...chanceOf(kappa, oneVerdict),
  };
}

/**
 * If either verdict was given to fewer items than this, kappa's interval is too narrow: it misses the true value in up
 * to 20% of draws.
 */
const FEWEST_OF_A_VERDICT = 3;

function tooRare({ passes, fails }: VerdictStrata): Unknown | null {
  const [word, { things }] = passes.things < fails.things ? ['pass', passes] : ['fail', fails];
  if (things >= FEWEST_OF_A_VERDICT) return null;
  return { unknown: `only ${things} of the verdicts ${things === 1 ? 'is' : 'are'} "${word}"` };
}

const same: Unknown = { unknown: 'judge and people gave only one verdict throughout' };

function onlyVerdict({ passes, fails }: VerdictStrata): Agreement['oneVerdict'] {
  if (passes.things + fails.things < 2) return null;
  return fails.things === 0 ? 'pass' : passes.things === 0 ? 'fail' : null;
}

function chanceOf({ value, interval }: Coefficient, oneVerdict: Agreement['oneVerdict']) {
  if (isUnknown(value)) return { beyondChance: null, whyNot: value.unknown };
  if (oneVerdict !== null) return { beyondChance: false, whyNot: null };
  if (isUnknown(interval)) return { beyondChance: null, whyNot: interval.unknown };
  return { beyondChance: interval.low > 0, whyNot: null };
}

function tableOf(pairs: readonly VerdictPair[]): ConfusionTable {
  const count = (judge: boolean, people: boolean) =>
    pairs.filter((pair) => pair.judge === judge && pair.people === people).length;
  return {
    bothPass: count(true, true),
    judgePassesOnly: count(true, false),
    peoplePassOnly: count(false, true),
    bothFail: count(false, false),
  };
}
