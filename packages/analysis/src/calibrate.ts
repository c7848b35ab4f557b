import { currentLabels, groupBy, type Label, type Labelled, labelledKey } from '@agent-criteria/results';
import { type Interval, isUnknown, krippendorffAlpha, type Unknown } from '@agent-criteria/statistics';
import { caseKey, clusterOf } from './case-key.ts';
import { type CorrectedRate, correctedRate } from './corrected-rate.ts';
import { type Estimate, estimateOf, RATE } from './estimate.ts';
import type { Instrument } from './instrument.ts';
import { type Judged, type Judgement, type Kind, kindOf } from './judgements.ts';
import { type Disagreement, type LabelledAgreement, labelledAgreement } from './labelled-agreement.ts';
import { type MeasuredAgreement, type MeasuredFile, measuredFile, measuredOf, numberOf } from './measured.ts';
import { resampledCases } from './resampled-cases.ts';
import { type AgreementWords, agreementStatement, agreementWarnings } from './text/agreement.ts';

/** The agreement of a run's judges with labels. Plain JSON. */
export interface Calibration {
  readonly level: number;
  /** The names of the people who labelled, sorted. */
  readonly people: readonly string[];
  /** One entry for each criterion, rubric and kind of item that has labels. */
  readonly kinds: readonly KindCalibration[];
  /**
   * Labels of whole cases against each deciding criterion. Empty if only one criterion decides, because its verdict is
   * the verdict on the case.
   */
  readonly criteria: readonly CriterionOfCases[];
  /** The number of labels for items that are not in the run. */
  readonly unmatched: number;
}

/** Agreement on the verdicts of one criterion, or of one of its rubrics. */
export interface KindCalibration extends Kind, LabelledAgreement {
  readonly passRate: CorrectedRate;
  /** Agreement among people, or `null` if nothing was labelled by more than one person. */
  readonly amongPeople: AmongPeople | null;
  /** Items on which the judge and people disagree, in the order of the run. */
  readonly differences: readonly Disagreement[];
  /** Caveats about these numbers, each a sentence without the final full stop. */
  readonly warnings: readonly string[];
  /** The agreement in one or two sentences. */
  readonly statement: string;
}

/** Agreement of one criterion with labels of whole cases. */
export interface CriterionOfCases extends LabelledAgreement {
  readonly criterion: string;
}

export interface AmongPeople {
  readonly things: number;
  /** The share of items on which everyone agrees. */
  readonly raw: Estimate;
  /** Krippendorff's alpha: 1 is perfect agreement, 0 is no better than chance. */
  readonly alpha: { readonly value: number | Unknown; readonly interval: Interval | Unknown };
}

export interface CalibrateOptions {
  /** The confidence level of intervals. Default 0.95. */
  readonly level?: number | undefined;
  /** Restricts labels to this criterion. Default: all. */
  readonly criterion?: string | undefined;
}

/**
 * Compares judges' verdicts with people's labels. Each person's last label for an item counts. If several people
 * labelled an item, the majority is taken as the truth; ties are excluded but counted.
 */
export function calibrate(judged: Judged, labels: Iterable<Label>, options: CalibrateOptions = {}): Calibration {
  const { level = 0.95, criterion } = options;
  const all = currentLabels(labels);
  const current = all.filter((label) => criterion === undefined || label.criterion === criterion);
  const known = new Set(judged.judgements.map(labelledKey));
  const matched = current.filter((label) => known.has(labelledKey(label)));
  const kinds = new Map<string, Kind>();
  // Kinds are in the order of the run.
  const labelledKinds = new Set(matched.map((label) => JSON.stringify(kindOf(label))));
  for (const judgement of judged.judgements) {
    const kind = kindOf(judgement);
    const text = JSON.stringify(kind);
    if (labelledKinds.has(text)) kinds.set(text, kind);
  }
  const criteria = ofWholeCases(judged, all, level).filter(
    (one) => criterion === undefined || one.criterion === criterion,
  );
  const used = criteria.length > 0 ? all.filter((label) => label.criterion === null) : [];
  return {
    level,
    people: [...new Set([...current, ...used].map(({ by }) => by))].sort(),
    kinds: [...kinds].map(([text, kind]) => {
      const ofKind = (one: Labelled) => JSON.stringify(kindOf(one)) === text;
      return ofOneKind(kind, judged.judgements.filter(ofKind), matched.filter(ofKind), judged.instruments, level);
    }),
    criteria,
    unmatched: current.length - matched.length,
  };
}

/** Compares labels of whole cases with each deciding criterion, although people answered a broader question. */
function ofWholeCases(judged: Judged, labels: readonly Label[], level: number): readonly CriterionOfCases[] {
  const ofCases = labels.filter((label) => label.criterion === null && label.turn === null);
  if (ofCases.length === 0) return [];
  const whole = judged.judgements.filter(({ turn, rubric }) => turn === null && rubric === null);
  const deciding = new Set(whole.flatMap(({ criterion, passed }) => (passed === null ? [] : [criterion ?? []])).flat());
  if (deciding.size < 2) return [];
  return [...deciding].flatMap((criterion): readonly CriterionOfCases[] => {
    const own = whole.filter((one) => one.criterion === criterion);
    const about = ofCases.map((label) => ({ ...label, criterion }));
    const { agreement } = labelledAgreement(own, about, criterion, judged.instruments, level);
    return agreement.things === 0 ? [] : [{ criterion, ...agreement }];
  });
}

function ofOneKind(
  kind: Kind,
  judgements: readonly Judgement[],
  labels: readonly Label[],
  instruments: readonly Instrument[],
  level: number,
): KindCalibration {
  const found = labelledAgreement(judgements, labels, kind.criterion, instruments, level);
  const { agreement, byThing, strata, differences } = found;
  const words: AgreementWords = { ...kind, ...agreement };
  return {
    ...words,
    passRate: correctedRate(strata, judgeRate(judgements, level), level),
    amongPeople: amongPeople(judgements, byThing, level),
    differences,
    warnings: agreementWarnings(words),
    statement: agreementStatement(words),
  };
}

/** Computes the pass rate according to the judge. Items that could not be judged widen its bounds. */
function judgeRate(judgements: readonly Judgement[], level: number): Estimate {
  const cases = groupBy(judgements, caseKey);
  const outcomes = [...cases.values()].map((own) => {
    const values = own.flatMap(({ passed }) => (passed === null ? [] : [Number(passed)]));
    const missing = own.length - values.length;
    const sum = values.reduce((all, value) => all + value, 0);
    const open = missing === 0 ? null : { worst: sum / own.length, best: (sum + missing) / own.length, missing };
    return { group: own[0]?.group ?? null, values, open };
  });
  return estimateOf(outcomes, RATE, level);
}

function amongPeople(
  judgements: readonly Judgement[],
  byThing: ReadonlyMap<string, readonly Label[]>,
  level: number,
): AmongPeople | null {
  const shared = judgements.flatMap((judgement) => {
    const own = byThing.get(labelledKey(judgement)) ?? [];
    const answers = own.map(({ label }) => Number(label === 'pass'));
    return own.length < 2 ? [] : [{ cluster: clusterOf(judgement), answers }];
  });
  if (shared.length === 0) return null;
  const cases = [...groupBy(shared, ({ cluster }) => cluster).values()];
  const agree = cases.map((own) => ({
    group: null,
    values: own.map(({ answers }) => Number(answers.every((one) => one === answers[0]))),
    open: null,
  }));
  const alphaOf = (drawn: readonly (typeof shared)[]) =>
    krippendorffAlpha(drawn.flatMap((own) => own.map(({ answers }) => answers)));
  const rarer = Math.min(...[0, 1].map((word) => shared.filter(({ answers }) => answers.includes(word)).length));
  const interval = resampledCases(
    cases,
    (drawn) => {
      const alpha = alphaOf(drawn);
      return isUnknown(alpha) ? null : alpha;
    },
    level,
    rarer,
  );
  return { things: shared.length, raw: estimateOf(agree, RATE, level), alpha: { value: alphaOf(cases), interval } };
}

/**
 * Turns a run's calibration into a file of measurements. Verdicts on whole cases are left out, because people answered
 * a different question from any single judge.
 */
export function calibrationFile(calibration: Calibration, run: string, date: Date): MeasuredFile {
  const entries = calibration.kinds.flatMap((kind): MeasuredAgreement[] => {
    const { instrument, rubric, unit, things, cases, table, raw, kappa, ac1, beyondChance, majority } = kind;
    if (instrument === null) return [];
    return [
      {
        measured: 'agreement',
        ...measuredOf(instrument, run, date),
        rubric,
        unit,
        people: calibration.people.length,
        things,
        cases,
        table,
        agreement: numberOf(raw.value, raw.interval),
        kappa: numberOf(kappa.value, kappa.interval),
        ac1: numberOf(ac1.value, ac1.interval),
        beyondChance,
        majority,
      },
    ];
  });
  return measuredFile(entries);
}
