import { isUnknown } from '@agent-criteria/statistics';
import type { Kind } from '../judgements.ts';
import type { LabelledAgreement } from '../labelled-agreement.ts';
import { intervalText, percentText, plainText } from './numbers.ts';

export interface AgreementWords extends Kind, LabelledAgreement {}

/** A verdict that people gave less often than this was hardly tested. */
const FEW_OF_ONE = 10;
/** From this share of one verdict upwards, kappa is low even if judge and people agree. */
const SKEWED = 0.9;
const SHARE = { min: 0, max: 1 };

/**
 * Describes the agreement and its strength, compared with a constant verdict. Begins with how labels were drawn if not
 * at random.
 */
export function agreementStatement(kind: AgreementWords): string {
  const { things, rater, raw, kappa, oneVerdict, majority, strength, table } = kind;
  const name = kindName(kind);
  if (things === 0) return `${name}: nothing to compare yet.`;
  const labelled = `${things} labelled ${noun(kind, things)}${inCases(kind)}`;
  const chosen = drawText(kind);
  const start = `${name}: ${chosen === null ? '' : `${chosen}. `}`;
  const sentence = (text: string) => `${start}${chosen === null ? text : text[0]?.toUpperCase() + text.slice(1)}.`;
  if (isUnknown(raw.value)) {
    const agreed = table.bothPass + table.bothFail;
    return sentence(`${rater} and people agree on ${agreed} of ${labelled}, but ${raw.value.unknown}`);
  }
  const ends = intervalText(raw.interval, SHARE);
  const share = `${percentText(raw.value)}${ends === null ? '' : ` (${ends})`}`;
  if (oneVerdict !== null) {
    return sentence(
      `the ${rater} gave one verdict throughout, "${oneVerdict}"; people agree on ${share}, by ${labelled}`,
    );
  }
  const value = typeof kappa.value === 'number' ? `, kappa ${plainText(kappa.value)}` : '';
  const always =
    majority === null
      ? ''
      : `; "${majority.verdict}" for every ${noun(kind, 1)} would agree on ${percentText(majority.share)}`;
  return sentence(`${rater} and people agree on ${share}, by ${labelled}${value}${always}: ${strengthText(strength)}`);
}

export function strengthText(strength: LabelledAgreement['strength']): string {
  if (strength === null) return 'too few labels to say more';
  return { none: 'no useful agreement', slight: 'slight agreement', usable: 'usable' }[strength];
}

/** Lists caveats about these numbers, each a sentence without the final full stop. */
export function agreementWarnings(kind: AgreementWords): readonly string[] {
  const { table, beyondChance, whyNot, rater, raw, ac1, majority, oneVerdict, draw } = kind;
  const { bothPass, judgePassesOnly, peoplePassOnly, bothFail } = table;
  const all = bothPass + judgePassesOnly + peoplePassOnly + bothFail;
  if (all === 0) return [`nothing has both a label and a verdict of the ${rater}`];
  const warnings: string[] = [];
  const things = noun(kind, 2);
  const agreement = isUnknown(raw.value) ? null : raw.value;
  if (draw.differs && agreement !== null) {
    warnings.push(
      `the numbers below are weighted by the verdicts of the ${rater}${draw.drawn === 'by-verdict' ? '' : `; they are right if, among ${things} with the same verdict, those that are labelled were drawn at random`}`,
    );
  }
  if (oneVerdict !== null) warnings.push(`verdicts that are all the same tell no ${noun(kind, 1)} from another`);
  else if (agreement !== null && majority !== null && agreement < majority.share) {
    warnings.push(
      `"${majority.verdict}" for every ${noun(kind, 1)} would agree with people more often (${percentText(majority.share)}) than the ${rater} does (${percentText(agreement)})`,
    );
  }
  if (!isUnknown(ac1.value) && ac1.value < 0) {
    warnings.push('AC1 is negative: they agree less often than two who decide at random');
  }
  const passes = (2 * bothPass + judgePassesOnly + peoplePassOnly) / (2 * all);
  if (passes >= SKEWED || passes <= 1 - SKEWED) {
    const [word, share] = passes >= SKEWED ? ['pass', passes] : ['fail', 1 - passes];
    warnings.push(
      `${percentText(share)} of the verdicts on labelled ${things} are "${word}": kappa is then low even if nearly all verdicts agree, so read AC1 and the table as well`,
    );
  }
  const fails = judgePassesOnly + bothFail;
  for (const [word, count] of [
    ['fail', fails],
    ['pass', all - fails],
  ] as const) {
    if (count < FEW_OF_ONE) {
      warnings.push(
        `people say "${word}" ${count === 0 ? 'never' : count === 1 ? 'once' : `only ${count} times`}: these labels hardly show whether the ${rater} recognises such ${things}`,
      );
    }
  }
  if (beyondChance === false && oneVerdict === null) {
    warnings.push('agreement with people has not been shown to exceed chance');
  }
  if (beyondChance === null && agreement !== null) {
    warnings.push(`whether agreement exceeds chance is unknown: ${whyNot}`);
  }
  return warnings;
}

/**
 * Describes how labelled items differ from the rest because of how they were drawn, or returns `null` if they do not.
 */
export function drawText({ draw, rater, ...kind }: Pick<AgreementWords, 'draw' | 'rater' | 'unit'>): string | null {
  const { drawn, differs, passedOfLabelled, passedOfOthers } = draw;
  if (!differs || passedOfLabelled === null || passedOfOthers === null) return null;
  const how =
    drawn === 'by-verdict'
      ? `the labelled ${noun(kind, 2)} were drawn by verdict`
      : `the labelled ${noun(kind, 2)} are no random sample`;
  const passes = rater === 'run' ? 'of them passed' : `of them pass by the ${rater}`;
  return `${how}: ${percentText(passedOfLabelled)} ${passes}, and ${percentText(passedOfOthers)} of the others`;
}

function inCases({ things, cases }: AgreementWords): string {
  return cases < things ? ` in ${cases} ${cases === 1 ? 'case' : 'cases'}` : '';
}

/** Names a kind: `polite`, `quality, rubric kind`, `whole cases`. */
export function kindName({ criterion, rubric }: Pick<Kind, 'criterion' | 'rubric'>): string {
  if (criterion === null) return 'whole cases';
  return rubric === null ? criterion : `${criterion}, rubric ${rubric}`;
}

function noun({ unit }: Pick<Kind, 'unit'>, count: number): string {
  const word = unit === 'turn' ? 'answer' : 'conversation';
  return count === 1 ? word : `${word}s`;
}
