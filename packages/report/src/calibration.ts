import type {
  Calibration,
  Coefficient,
  Corrected,
  CriterionOfCases,
  Estimate,
  KindCalibration,
  LabelledAgreement,
} from '@agent-criteria/analysis';
import { intervalText, kindName, percentText, plainText, strengthText } from '@agent-criteria/analysis/text';
import { counted } from '@agent-criteria/core/host';
import type { Labelled } from '@agent-criteria/results';
import {
  consoleParts,
  consoleProse,
  consoleTable,
  markdownList,
  markdownParts,
  markdownTable,
  moreText,
  type Table,
} from './document.ts';
import { htmlCode, inlineCode } from './escape-markdown.ts';
import { type ConsoleOptions, type Style, styleOf } from './style.ts';
import { oneLine, safe } from './terminal.ts';

/** The maximum number of differences shown for each kind of label. */
const DIFFERENCES_SHOWN = 10;
const SHARE = { format: percentText, range: { min: 0, max: 1 } };
/** The format of agreement corrected for chance, which can be negative. */
const COEFFICIENT = { format: plainText, range: { min: -1, max: 1 } };

/** Formats the agreement between judges and people for a terminal: statements, numbers, differences and notes. */
export function consoleCalibration(calibration: Calibration, name: string, options: ConsoleOptions = {}): string {
  const style = styleOf(options);
  const { colors } = style;
  const { people, kinds, criteria, unmatched } = calibration;
  return consoleParts(
    [
      `${colors.bold(`Agreement with people in ${safe(name)}`)}, labelled by ${people.map((one) => safe(one)).join(', ')}`,
      ...kinds.flatMap((kind) => {
        const paint = kind.strength === 'usable' ? colors.green : colors.yellow;
        return [
          [paint(safe(kind.statement)), ...notes(kind)].join('\n'),
          consoleTable(numbers(kind), style),
          consoleTable(confusion(kind), style),
          rates(kind).join('\n'),
          consoleDifferences(kind, style),
        ];
      }),
      criteria.length === 0
        ? ''
        : `${consoleProse(CRITERIA, style)}\n${consoleTable({ head: CRITERIA_HEAD, rows: criteriaRows(criteria) }, style)}`,
      unmatchedText(unmatched),
      kinds.length + criteria.length === 0 ? '' : consoleProse(legend(calibration), style),
    ],
    style,
  );
}

/** Formats the same content as Markdown, for a comment or a summary. */
export function markdownCalibration(calibration: Calibration, name: string): string {
  const { people, kinds, criteria, unmatched } = calibration;
  const rows = criteriaRows(criteria).map(([first = '', ...others]) => [inlineCode(first, 120), ...others]);
  return markdownParts([
    `## Agreement with people in ${inlineCode(name, 100)}, labelled by ${people.map((one) => inlineCode(one, 60)).join(', ')}`,
    ...kinds.flatMap((kind) => {
      const own = kindName(kind);
      return [
        // Names come from plugins and people, so they are untrusted.
        `**${inlineCode(own, 120)}${kind.statement.slice(own.length)}**`,
        markdownList(notes(kind)),
        markdownTable(numbers(kind)),
        markdownTable(confusion(kind)),
        markdownList(rates(kind)),
        markdownDifferences(kind),
        moreText(kind.differences, DIFFERENCES_SHOWN),
      ];
    }),
    ...(criteria.length === 0 ? [] : [CRITERIA, markdownTable({ head: CRITERIA_HEAD, rows })]),
    unmatchedText(unmatched),
    kinds.length + criteria.length === 0 ? '' : legend(calibration),
  ]);
}

function notes(kind: KindCalibration): readonly string[] {
  return [...kind.warnings.map((one) => `Note: ${safe(one)}.`), ...leftOut(kind)];
}

function unmatchedText(unmatched: number): string {
  return unmatched === 0
    ? ''
    : `Not used: ${counted(unmatched, 'label')} of cases or criteria that this scoring does not have.`;
}

const CRITERIA =
  'What people say of whole cases, against each criterion: one that asks something else may well differ from them.';
const CRITERIA_HEAD = ['criterion', 'same verdict', "Cohen's kappa", "Gwet's AC1", 'cases', ''];

function criteriaRows(criteria: readonly CriterionOfCases[]): readonly (readonly string[])[] {
  return criteria.map(({ criterion, things, raw, kappa, ac1, strength, oneVerdict }) => [
    criterion,
    ...[shareText(raw), ...[kappa, ac1].map((one) => measuredText(one, COEFFICIENT) ?? '-')],
    String(things),
    oneVerdict === null ? strengthText(strength) : `"${oneVerdict}" throughout`,
  ]);
}

/** Formats a share as `67% (55 to 80%)`, or `unknown`. */
export function shareText(share: Measured): string {
  return measuredText(share, SHARE) ?? 'unknown';
}

type Measured = Pick<Coefficient | Estimate, 'value' | 'interval'>;

function measuredText({ value, interval }: Measured, { format, range }: typeof SHARE): string | null {
  if (typeof value !== 'number') return null;
  const ends = intervalText(interval, range);
  return ends === null ? format(value) : `${format(value)} (${ends})`;
}

function leftOut({ ties, unjudged, rater }: LabelledAgreement): readonly string[] {
  return [
    ...(ties > 0 ? [`Left out: ${counted(ties, 'tie')} between people.`] : []),
    ...(unjudged > 0 ? [`Left out: ${counted(unjudged, 'label')} where the ${rater} has no verdict.`] : []),
  ];
}

/** Builds a table of the agreement by each measure, with its interval. */
function numbers({ raw, kappa, ac1, amongPeople }: KindCalibration): Table {
  const row = (name: string, { value, interval }: Measured, { format, range } = COEFFICIENT) => [
    name,
    typeof value === 'number' ? format(value) : '-',
    intervalText(interval, range) ?? 'unknown',
  ];
  const rows = [row('same verdict', raw, SHARE), row("Cohen's kappa", kappa), row("Gwet's AC1", ac1)];
  if (typeof amongPeople?.alpha.value === 'number') {
    rows.push(
      row(`people with each other, same verdict (${amongPeople.things} labelled twice)`, amongPeople.raw, SHARE),
      row("people with each other, Krippendorff's alpha", amongPeople.alpha),
    );
  }
  return { head: ['agreement', '', '95% interval'], rows };
}

function confusion({ table, rater }: KindCalibration): Table {
  return {
    head: ['', 'people: pass', 'people: fail'],
    rows: [
      [`${rater}: pass`, String(table.bothPass), String(table.judgePassesOnly)],
      [`${rater}: fail`, String(table.peoplePassOnly), String(table.bothFail)],
    ],
  };
}

function rates(kind: KindCalibration): readonly string[] {
  const { judge, these, like, moreLabels } = kind.passRate;
  const cases = counted(judge.cases, 'case');
  const lines = [
    `Pass rate by the ${kind.rater}: ${shareText(judge)} of ${cases}`,
    `Pass rate by people, of these ${cases}: ${correctedText(these)}`,
  ];
  if ('value' in like) lines.push(`Pass rate by people, of cases like these: ${correctedText(like)}`);
  else if ('value' in these) lines.push(`Pass rate by people, of cases like these: unknown, because ${like.unknown}`);
  if (judge.unjudged > 0) lines.push(`Rates by people leave out what has no verdict of the ${kind.rater}.`);
  if (typeof moreLabels === 'number') {
    const labels = counted(moreLabels, 'more label');
    lines.push(
      `About ${labels} would halve the interval for these cases; for cases like these, more cases are needed as well.`,
    );
  }
  return lines;
}

function correctedText(corrected: Corrected | { readonly unknown: string }): string {
  if ('unknown' in corrected) return `unknown, because ${corrected.unknown}`;
  const { value, exact } = corrected;
  return exact
    ? `exactly ${percentText(value)}, as all are labelled`
    : `${percentText(value)} (${intervalText(corrected, SHARE.range)})`;
}

function consoleDifferences({ differences, rater, ...kind }: KindCalibration, { colors, width }: Style): string {
  if (differences.length === 0) return '';
  const reasonText = (verdict: string, reason: string | null) => {
    if (reason === null) return verdict;
    return `${verdict}: ${oneLine(reason, Math.max(20, Math.min(width, 100) - verdict.length - 16))}`;
  };
  const lines = differences.slice(0, DIFFERENCES_SHOWN).flatMap((one) => [
    `  ${placeText(one)}`,
    `    ${colors.dim(`${rater}:`.padEnd(7))} ${reasonText(one.judge, one.judgeReason)}`,
    ...one.opinions.map(({ by, label, reason }) => {
      return `    ${colors.dim(`${safe(by)}:`)} ${reasonText(label ?? '', reason)}`;
    }),
  ]);
  const more = moreText(differences, DIFFERENCES_SHOWN);
  const title = colors.bold(`Where they differ: ${safe(kindName(kind))}`);
  return [title, ...lines, ...(more === '' ? [] : [`  ... ${more}`])].join('\n');
}

function markdownDifferences({ differences, rater }: KindCalibration): string {
  if (differences.length === 0) return '';
  const reasonText = (verdict: string, reason: string | null) =>
    reason === null ? verdict : `${verdict}: ${htmlCode(reason, 200)}`;
  const rows = differences
    .slice(0, DIFFERENCES_SHOWN)
    .map((one) => [
      htmlCode(placeName(one), 120),
      reasonText(one.judge, one.judgeReason),
      one.opinions
        .map(({ by, label, reason }) => `${htmlCode(by, 60)} ${reasonText(label ?? '', reason)}`)
        .join('<br>'),
    ]);
  return markdownTable({ head: ['where they differ', rater, 'people'], rows });
}

/** Formats an item's position as `home:heating, repeat 2, turn 1`, safe to print. */
export function placeText(place: Omit<Labelled, 'criterion' | 'rubric'>): string {
  return safe(placeName(place));
}

export function placeName({ setId, caseId, variant, repeat, turn }: Omit<Labelled, 'criterion' | 'rubric'>): string {
  const parts = [
    `${setId}:${caseId}`,
    ...(variant === undefined ? [] : [variant]),
    ...(repeat === 0 ? [] : [`repeat ${repeat + 1}`]),
    ...(turn === null ? [] : [`turn ${turn + 1}`]),
  ];
  return parts.join(', ');
}

function legend({ level }: Calibration): string {
  return `Of 100 such confidence intervals, about ${Math.round(level * 100)} contain the true value, as long as labelled things were drawn at random among those with the same verdict. Unless a line says otherwise, they are about cases like these. Kappa and AC1 are 1 for perfect agreement, and 0 for as much agreement as chance would give.`;
}
