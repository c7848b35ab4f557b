import type { Range } from '@agent-criteria/core';
import { isUnknown, signFlipTest, type Unknown } from '@agent-criteria/statistics';
import { completed } from './case-values.ts';
import { type CaseValues, groupsOf, meanOf, sumsOf, type ValuePair } from './estimate.ts';
import type { PairedTest } from './paired-test.ts';

/** A comparison with everything that could not be judged set to one end. Plain JSON. */
export interface AtEnd {
  readonly difference: number;
  readonly p: number | Unknown;
}

/** The uncertainty of a comparison from cases that could not be judged in full. Plain JSON. */
export interface Unjudged {
  /** The number of cases that could not be judged in full, in either run. */
  readonly unjudged: number;
  /**
   * The result if everything unjudged were at its worst in the candidate and at its best in the base, or `null` if all
   * was judged or the scale has no such end.
   */
  readonly atWorst: AtEnd | null;
  /** The reverse of `atWorst`. */
  readonly atBest: AtEnd | null;
  /**
   * Whether the unjudged part can be assumed to be like the rest: at most a tenth of either run, and no more frequent
   * in one run than chance explains. Otherwise something may make bad answers harder to judge.
   */
  readonly unjudgedAlike: boolean;
}

/** The largest share of a run that can be assumed to be like the rest. */
const MOST_ALIKE = 0.1;

export function unjudgedOf(
  cases: readonly ValuePair[],
  range: Range,
  test: (cases: readonly ValuePair[]) => PairedTest,
): Unjudged {
  const open = cases.filter(({ base, candidate }) => base.open !== null || candidate.open !== null);
  if (open.length === 0) return { unjudged: 0, atWorst: null, atBest: null, unjudgedAlike: true };
  return {
    unjudged: open.length,
    atWorst: atEnd(cases, 'worst', range, test),
    atBest: atEnd(cases, 'best', range, test),
    unjudgedAlike: isAlike(cases),
  };
}

function atEnd(
  cases: readonly ValuePair[],
  ofCandidate: 'worst' | 'best',
  range: Range,
  test: (cases: readonly ValuePair[]) => PairedTest,
): AtEnd | null {
  const whole: ValuePair[] = [];
  for (const pair of cases) {
    const base = completed(pair.base, ofCandidate === 'worst' ? 'best' : 'worst', range);
    const candidate = completed(pair.candidate, ofCandidate, range);
    if (base === null || candidate === null) return null;
    if (base.values.length > 0 && candidate.values.length > 0) whole.push({ base, candidate });
  }
  if (whole.length === 0) return null;
  const difference = meanOf(whole.map(({ base, candidate }) => meanOf(candidate.values) - meanOf(base.values)));
  return { difference, p: test(whole).p };
}

function isAlike(cases: readonly ValuePair[]): boolean {
  const [base, candidate] = [
    cases.map((one) => missingShare(one.base)),
    cases.map((one) => missingShare(one.candidate)),
  ];
  if (Math.max(meanOf(base), meanOf(candidate)) > MOST_ALIKE) return false;
  const differences = candidate.map((share, index) => share - (base[index] as number));
  const groups = groupsOf(cases.map((one) => one.candidate));
  const found = signFlipTest(groups === null ? differences : sumsOf(differences, groups));
  return isUnknown(found) || found.midP > 0.05;
}

/** Returns the share of a case that could not be judged, 0 to 1. */
function missingShare({ values, open }: CaseValues): number {
  if (open === null) return 0;
  return open.missing === 0 ? 1 / (values.length + 1) : open.missing / (values.length + open.missing);
}
