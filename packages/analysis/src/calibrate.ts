import { currentLabels, type Label, type Labelled, labelledKey, labelledOf } from '@agent-criteria/results';
import { type Interval, isUnknown, krippendorffAlpha, type Unknown } from '@agent-criteria/statistics';
import { type Agreement, agreementOf, clustered, resampledCases, type VerdictPair } from './agreement.ts';
import { clusterOf } from './cluster-of.ts';
import { type CorrectedRate, correctedRate, type JudgedThing } from './corrected-rate.ts';
import type { Estimate } from './estimate.ts';
import { estimateOf, RATE } from './estimate-of.ts';
import type { Instrument } from './instrument.ts';
import { type Judged, type Judgement, type Kind, kindOf } from './judgements.ts';
import { intervalText, percentText, plainText } from './number-words.ts';

/** What labels say of the judges of a run. Plain JSON. */
export interface Calibration {
  readonly level: number;
  /** Who labelled, sorted. */
  readonly people: readonly string[];
  /** One for each criterion, rubric and kind of thing that has labels. */
  readonly kinds: readonly KindCalibration[];
  /** Labels of things that the run does not have. */
  readonly unmatched: number;
}

/** How far the verdicts by one criterion (or one of its rubrics) agree with those of people. */
export interface KindCalibration extends Kind, Agreement {
  /** What judged; `null` for the verdict of whole cases. */
  readonly instrument: Instrument | null;
  /** Labelled things that count: people and judge both have a verdict. */
  readonly things: number;
  /** The cases that they belong to; cases of one group count as one. */
  readonly cases: number;
  /** Left out: as many people say pass as say fail. */
  readonly ties: number;
  /** Left out: the judge has no verdict. */
  readonly unjudged: number;
  readonly passRate: CorrectedRate;
  /** Among people; `null`: nothing was labelled by more than one person. */
  readonly amongPeople: AmongPeople | null;
  /** Where judge and people differ, in the order of the run. */
  readonly differences: readonly Disagreement[];
  /** What to keep in mind with these numbers, each a sentence without its full stop. */
  readonly warnings: readonly string[];
  /** The agreement in one sentence. */
  readonly statement: string;
}

/** How far people agree with each other on what several of them labelled. */
export interface AmongPeople {
  readonly things: number;
  /** The share of things on which all say the same. */
  readonly raw: Estimate;
  /** Krippendorff's alpha: 1 is perfect agreement, 0 that of chance. */
  readonly alpha: { readonly value: number | Unknown; readonly interval: Interval | Unknown };
}

export interface Disagreement extends Labelled {
  readonly judge: 'pass' | 'fail';
  readonly people: 'pass' | 'fail';
  readonly judgeReason: string | null;
  readonly opinions: readonly Pick<Label, 'by' | 'label' | 'reason'>[];
}

export interface CalibrateOptions {
  /** Of intervals. Default 0.95. */
  readonly level?: number | undefined;
  /** Only labels about this criterion. Default: all. */
  readonly criterion?: string | undefined;
}

/**
 * Compares the verdicts of judges with the labels of people. Of each person, the last label of a thing counts. Where several people
 * labelled a thing, the majority is taken as true; a tie is left out and counted.
 */
export function calibrate(judged: Judged, labels: Iterable<Label>, options: CalibrateOptions = {}): Calibration {
  const { level = 0.95, criterion } = options;
  const current = currentLabels(labels).filter((label) => criterion === undefined || label.criterion === criterion);
  const known = new Set(judged.judgements.map(labelledKey));
  const matched = current.filter((label) => known.has(labelledKey(label)));
  const kinds = new Map<string, Kind>();
  // In the order of the run.
  const labelledKinds = new Set(matched.map((label) => JSON.stringify(kindOf(label))));
  for (const judgement of judged.judgements) {
    const kind = kindOf(judgement);
    const text = JSON.stringify(kind);
    if (labelledKinds.has(text)) kinds.set(text, kind);
  }
  return {
    level,
    people: [...new Set(current.map(({ by }) => by))].sort(),
    kinds: [...kinds].map(([text, kind]) => {
      const ofKind = (one: Labelled) => JSON.stringify(kindOf(one)) === text;
      return ofOneKind(kind, judged.judgements.filter(ofKind), matched.filter(ofKind), judged.instruments, level);
    }),
    unmatched: current.length - matched.length,
  };
}

function ofOneKind(
  kind: Kind,
  judgements: readonly Judgement[],
  labels: readonly Label[],
  instruments: readonly Instrument[],
  level: number,
): KindCalibration {
  const byThing = new Map<string, Label[]>();
  for (const label of labels) {
    const key = labelledKey(label);
    const own = byThing.get(key);
    if (own === undefined) byThing.set(key, [label]);
    else own.push(label);
  }
  let [ties, unjudged] = [0, 0];
  const things: JudgedThing[] = [];
  const pairs: VerdictPair[] = [];
  const differences: Disagreement[] = [];
  for (const judgement of judgements) {
    const { passed: judge } = judgement;
    const own = byThing.get(labelledKey(judgement)) ?? [];
    const people = majorityOf(own);
    const cluster = clusterOf(judgement);
    things.push({ cluster, judge, people });
    if (own.length === 0) continue;
    if (people === null) ties += 1;
    else if (judge === null) unjudged += 1;
    else {
      pairs.push({ cluster, judge, people });
      if (judge !== people) differences.push(disagreement(judgement, judge, people, own));
    }
  }
  const agreement = agreementOf(pairs, level);
  const counted = {
    ...kind,
    instrument: instruments.find((one) => one.criterion === kind.criterion) ?? null,
    things: pairs.length,
    cases: clustered(pairs).length,
    ties,
    unjudged,
    ...agreement,
    passRate: correctedRate(things, level),
    amongPeople: amongPeople(judgements, byThing, level),
    differences,
    warnings: warningsOf(agreement),
  };
  return { ...counted, statement: statementOf(counted) };
}

/** What most people say; `null`: there are no labels, or as many say pass as fail. */
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
  const cases = clustered(shared);
  const agree = cases.map((own) => ({
    group: null,
    values: own.map(({ answers }) => Number(answers.every((one) => one === answers[0]))),
    open: null,
  }));
  const alphaOf = (drawn: typeof cases) => krippendorffAlpha(drawn.flatMap((own) => own.map(({ answers }) => answers)));
  const interval = resampledCases(
    cases,
    (drawn) => {
      const alpha = alphaOf(drawn);
      return isUnknown(alpha) ? null : alpha;
    },
    level,
  );
  return { things: shared.length, raw: estimateOf(agree, RATE, level), alpha: { value: alphaOf(cases), interval } };
}

/** A verdict that people gave less often than this was hardly tested. */
const FEW_OF_ONE = 10;
/** From this share of one verdict on, kappa is low however well they agree. */
const SKEWED = 0.9;

function warningsOf({ table, beyondChance, whyNot }: Agreement): readonly string[] {
  const { bothPass, judgePassesOnly, peoplePassOnly, bothFail } = table;
  const all = bothPass + judgePassesOnly + peoplePassOnly + bothFail;
  if (all === 0) return ['nothing has both a label and a verdict of the judge'];
  const warnings: string[] = [];
  const passes = (2 * bothPass + judgePassesOnly + peoplePassOnly) / (2 * all);
  if (passes >= SKEWED || passes <= 1 - SKEWED) {
    const [word, share] = passes >= SKEWED ? ['pass', passes] : ['fail', 1 - passes];
    warnings.push(
      `${percentText(share)} of the verdicts are "${word}": kappa is then low even if nearly all verdicts agree, so read AC1 and the table as well`,
    );
  }
  const fails = judgePassesOnly + bothFail;
  for (const [word, count] of [
    ['fail', fails],
    ['pass', all - fails],
  ] as const) {
    if (count < FEW_OF_ONE) {
      warnings.push(
        `people say "${word}" ${count === 0 ? 'never' : count === 1 ? 'once' : `only ${count} times`}: these labels hardly show whether the judge recognises such answers`,
      );
    }
  }
  if (beyondChance === false) warnings.push('agreement with people has not been shown to exceed chance');
  if (beyondChance === null) warnings.push(`whether agreement exceeds chance is unknown: ${whyNot}`);
  return warnings;
}

function statementOf({ things, cases, raw, kappa, beyondChance, ...kind }: Omit<KindCalibration, 'statement'>): string {
  const name = kindName(kind);
  if (raw.value === null) return `${name}: nothing to compare yet.`;
  const ends = intervalText(raw.interval, { min: 0, max: 1 });
  const what = `${things} labelled ${noun(kind, things)}${cases < things ? ` in ${cases} ${cases === 1 ? 'case' : 'cases'}` : ''}`;
  const beyond =
    beyondChance === true
      ? ': more than chance would explain'
      : beyondChance === false
        ? ': not shown to exceed chance'
        : '';
  const value = typeof kappa.value === 'number' ? `, kappa ${plainText(kappa.value)}` : '';
  return `${name}: judge and people agree on ${percentText(raw.value)}${ends === null ? '' : ` (${ends})`} of ${what}${value}${beyond}.`;
}

/** `polite`, `quality, rubric kind`, `whole cases`. */
export function kindName({ criterion, rubric }: Pick<Kind, 'criterion' | 'rubric'>): string {
  if (criterion === null) return 'whole cases';
  return rubric === null ? criterion : `${criterion}, rubric ${rubric}`;
}

function noun({ unit }: Kind, count: number): string {
  const word = unit === 'turn' ? 'answer' : 'conversation';
  return count === 1 ? word : `${word}s`;
}
