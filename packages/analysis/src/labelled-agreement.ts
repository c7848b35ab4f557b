import { groupBy, type Label, type Labelled, labelledKey, labelledOf } from '@agent-criteria/results';
import { type Agreement, agreementOf, type VerdictPair } from './agreement.ts';
import { type Strength, strengthOf } from './agreement-strength.ts';
import { caseKey, clusterOf } from './case-key.ts';
import { type Instrument, type Rater, raterOf } from './instrument.ts';
import type { Judgement } from './judgements.ts';
import { type LabelDraw, labelDraw } from './label-draw.ts';
import { numberOf } from './measured.ts';
import { type JudgedThing, verdictStrata } from './verdict-strata.ts';

export interface LabelledAgreement extends Agreement {
  /** The instrument that judged, or `null` for verdicts on whole cases. */
  readonly instrument: Instrument | null;
  /** The source of the verdicts: a model, a criterion without one, or all criteria together. */
  readonly rater: Rater;
  /** The number of items with a verdict from both people and the judge. */
  readonly things: number;
  /** The number of cases they belong to, where cases of one group count as one. */
  readonly cases: number;
  /** The number of items excluded because people are evenly divided. */
  readonly ties: number;
  /** The number of items excluded because the judge gave no verdict. */
  readonly unjudged: number;
  /** `null` if unknown. */
  readonly strength: Strength | null;
  readonly draw: LabelDraw;
}

export interface Disagreement extends Labelled {
  readonly judge: 'pass' | 'fail';
  readonly people: 'pass' | 'fail';
  readonly judgeReason: string | null;
  readonly opinions: readonly Pick<Label, 'by' | 'label' | 'reason'>[];
}

/** Compares verdicts with labels for the same items. */
export function labelledAgreement(
  judgements: readonly Judgement[],
  labels: readonly Label[],
  criterion: string | null,
  instruments: readonly Instrument[],
  level: number,
) {
  const byThing = groupBy(labels, labelledKey);
  let [ties, unjudged] = [0, 0];
  const things: JudgedThing[] = [];
  const pairs: (VerdictPair & { readonly cluster: string })[] = [];
  const differences: Disagreement[] = [];
  const drawn: Label['drawn'][] = [];
  for (const judgement of judgements) {
    const { passed: judge } = judgement;
    const own = byThing.get(labelledKey(judgement)) ?? [];
    const people = majorityOf(own);
    const cluster = clusterOf(judgement);
    things.push({ caseKey: caseKey(judgement), cluster, judge, people });
    if (own.length === 0) continue;
    if (people === null) ties += 1;
    else if (judge === null) unjudged += 1;
    else {
      pairs.push({ cluster, judge, people });
      drawn.push(...own.map((label) => label.drawn));
      if (judge !== people) differences.push(disagreement(judgement, judge, people, own));
    }
  }
  const strata = verdictStrata(things);
  const instrument = instruments.find((one) => one.criterion === criterion) ?? null;
  const found = agreementOf(strata, pairs, level);
  const agreement: LabelledAgreement = {
    instrument,
    rater: raterOf(criterion, instruments),
    things: pairs.length,
    cases: new Set(pairs.map((pair) => pair.cluster)).size,
    ties,
    unjudged,
    ...found,
    strength: strengthOf({
      ...found,
      agreement: numberOf(found.raw.value, found.raw.interval),
      kappa: numberOf(found.kappa.value, found.kappa.interval),
      ac1: numberOf(found.ac1.value, found.ac1.interval),
    }),
    draw: labelDraw(things, drawn),
  };
  return { agreement, byThing, strata, differences };
}

/** Returns the majority of labels, or `null` for a tie or no labels. */
function majorityOf(labels: readonly Label[]): boolean | null {
  const passes = labels.filter(({ label }) => label === 'pass').length;
  return 2 * passes === labels.length ? null : 2 * passes > labels.length;
}

function disagreement(judgement: Judgement, judge: boolean, people: boolean, labels: readonly Label[]): Disagreement {
  const word = (passed: boolean) => (passed ? 'pass' : 'fail');
  return {
    ...labelledOf(judgement),
    judge: word(judge),
    people: word(people),
    judgeReason: judgement.reason,
    opinions: labels.map(({ by, label, reason }) => ({ by, label, reason })),
  };
}
