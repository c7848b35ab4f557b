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
import { htmlCode, inlineCode } from './escape-markdown.ts';
import { type ConsoleOptions, type Look, lookOf } from './look.ts';
import { type Cell, fit, fitTable, oneLine, safe, wrap } from './terminal.ts';

/** At most so many differences are shown in full for each kind of thing. */
const DIFFERENCES_SHOWN = 10;
/** Columns of the legend, however wide the terminal is. */
const LEGEND = 100;
const SHARE = { min: 0, max: 1 };
/** Agreement beyond chance is no share: it can be negative. */
const PLAIN = { min: -1, max: 1 };

/** How far judges agree with people, for a terminal: the statement, the numbers, where they differ, and what to keep in mind. */
export function consoleCalibration(calibration: Calibration, name: string, options: ConsoleOptions = {}): string {
  const look = lookOf(options);
  const { colors, width, longest } = look;
  const { people, kinds, criteria, unmatched } = calibration;
  const head = `${colors.bold(`Agreement with people in ${safe(name)}`)}, labelled by ${people.map((one) => safe(one)).join(', ')}`;
  const parts = [head, ...kinds.flatMap((kind) => kindParts(kind, look))];
  if (criteria.length > 0) {
    parts.push(`${wrap(CRITERIA, Math.min(width, LEGEND))}\n${tableText(CRITERIA_HEAD, criteriaRows(criteria), look)}`);
  }
  if (unmatched > 0) parts.push(unmatchedText(unmatched));
  if (kinds.length + criteria.length > 0) parts.push(wrap(legend(calibration), Math.min(width, LEGEND)));
  return parts
    .filter((part) => part !== '')
    .map((part) => fit(`${part.trimEnd()}\n`, width, longest))
    .join('\n');
}

/** The same as Markdown, for a comment or a summary. */
export function markdownCalibration(calibration: Calibration, name: string): string {
  const { people, kinds, criteria, unmatched } = calibration;
  const by = people.map((one) => inlineCode(one, 60)).join(', ');
  const lines = [`## Agreement with people in ${inlineCode(name, 100)}, labelled by ${by}`];
  for (const kind of kinds) lines.push('', ...markdownKind(kind));
  if (criteria.length > 0) {
    const rows = criteriaRows(criteria).map(([first = '', ...others]) => [inlineCode(first, 120), ...others]);
    lines.push('', CRITERIA, ...markdownTable(rows, `| ${CRITERIA_HEAD.join(' | ')} |`, CRITERIA_HEAD.length));
  }
  if (unmatched > 0) lines.push('', unmatchedText(unmatched));
  if (kinds.length + criteria.length > 0) lines.push('', legend(calibration));
  return `${lines.join('\n')}\n`;
}

function markdownKind(kind: KindCalibration): readonly string[] {
  const own = kindName(kind);
  const { differences } = kind;
  const shown = differences.slice(0, DIFFERENCES_SHOWN);
  const reason = (verdict: string, why: string | null) =>
    why === null ? verdict : `${verdict}: ${htmlCode(why, 200)}`;
  return [
    // Names are text of plugins and people.
    `**${inlineCode(own, 120)}${kind.statement.slice(own.length)}**`,
    '',
    ...[...kind.warnings.map((one) => `Note: ${safe(one)}.`), ...leftOut(kind)].map((line) => `- ${line}`),
    ...markdownTable(numbers(kind), '| agreement |  | 95% interval |', 3),
    ...markdownTable(confusion(kind), '|  | people: pass | people: fail |', 3),
    '',
    ...rates(kind).map((line) => `- ${line}`),
    ...(shown.length === 0
      ? []
      : markdownTable(
          shown.map((one) => [
            htmlCode(placeName(one), 120),
            reason(one.judge, one.judgeReason),
            one.opinions
              .map(({ by, label, reason: why }) => `${htmlCode(by, 60)} ${reason(label ?? '', why)}`)
              .join('<br>'),
          ]),
          `| where they differ | ${kind.rater} | people |`,
          3,
        )),
    ...(differences.length > shown.length ? ['', `and ${differences.length - shown.length} more`] : []),
  ];
}

function markdownTable(rows: readonly (readonly string[])[], head: string, columns: number): readonly string[] {
  return ['', head, `|${' --- |'.repeat(columns)}`, ...rows.map((cells) => `| ${cells.join(' | ')} |`)];
}

function kindParts(kind: KindCalibration, look: Look): readonly string[] {
  const { colors } = look;
  const { warnings, statement, strength } = kind;
  const paint = strength === 'usable' ? colors.green : colors.yellow;
  return [
    [paint(safe(statement)), ...warnings.map((one) => `Note: ${safe(one)}.`), ...leftOut(kind)].join('\n'),
    tableText(['agreement', '', '95% interval'], numbers(kind), look),
    tableText(['', 'people: pass', 'people: fail'], confusion(kind), look),
    rates(kind).join('\n'),
    differencesText(kind, look),
  ];
}

function unmatchedText(unmatched: number): string {
  return `Not used: ${counted(unmatched, 'label')} of cases or criteria that this scoring does not have.`;
}

const CRITERIA =
  'What people say of whole cases, against each criterion: one that asks something else may well differ from them.';
const CRITERIA_HEAD = ['criterion', 'same verdict', "Cohen's kappa", "Gwet's AC1", 'cases', ''];

function criteriaRows(criteria: readonly CriterionOfCases[]): readonly (readonly string[])[] {
  return criteria.map(({ criterion, things, raw, kappa, ac1, strength, oneVerdict }) => [
    criterion,
    ...[shareText(raw), ...[kappa, ac1].map(coefficientText)],
    String(things),
    oneVerdict === null ? strengthText(strength) : `"${oneVerdict}" throughout`,
  ]);
}

function shareText({ value, interval }: Coefficient): string {
  if (typeof value !== 'number') return 'unknown';
  const ends = intervalText(interval, SHARE);
  return ends === null ? percentText(value) : `${percentText(value)} (${ends})`;
}

function coefficientText({ value, interval }: Coefficient): string {
  if (typeof value !== 'number') return '-';
  const ends = intervalText(interval, PLAIN);
  return ends === null ? plainText(value) : `${plainText(value)} (${ends})`;
}

function leftOut({ ties, unjudged, rater }: LabelledAgreement): readonly string[] {
  return [
    ...(ties > 0 ? [`Left out: ${counted(ties, 'tie')} between people.`] : []),
    ...(unjudged > 0 ? [`Left out: ${counted(unjudged, 'label')} where the ${rater} has no verdict.`] : []),
  ];
}

function tableText(header: readonly string[], rows: readonly (readonly string[])[], { colors, width }: Look): string {
  const head = header.map((text): Cell => ({ text, paint: colors.dim }));
  return fitTable([head, ...rows.map((cells) => cells.map((text): Cell => ({ text })))], width);
}

/** Of which agreement, how large, and its interval. */
function numbers({ raw, kappa, ac1, amongPeople }: KindCalibration): readonly (readonly string[])[] {
  const row = (name: string, one: Coefficient) => [
    name,
    typeof one.value === 'number' ? plainText(one.value) : '-',
    intervalText(one.interval, PLAIN) ?? 'unknown',
  ];
  return [
    [
      'same verdict',
      typeof raw.value === 'number' ? percentText(raw.value) : '-',
      intervalText(raw.interval, SHARE) ?? 'unknown',
    ],
    row("Cohen's kappa", kappa),
    row("Gwet's AC1", ac1),
    ...(typeof amongPeople?.alpha.value === 'number'
      ? [
          [
            `people with each other, same verdict (${amongPeople.things} labelled twice)`,
            amongPeople.raw.value === null ? '-' : percentText(amongPeople.raw.value),
            intervalText(amongPeople.raw.interval, SHARE) ?? 'unknown',
          ],
          row("people with each other, Krippendorff's alpha", amongPeople.alpha),
        ]
      : []),
  ];
}

function confusion({ table, rater }: KindCalibration): readonly (readonly string[])[] {
  return [
    [`${rater}: pass`, String(table.bothPass), String(table.judgePassesOnly)],
    [`${rater}: fail`, String(table.peoplePassOnly), String(table.bothFail)],
  ];
}

function rates(kind: KindCalibration): readonly string[] {
  const { judge, these, like, moreLabels } = kind.passRate;
  const cases = counted(judge.cases, 'case');
  const lines = [
    `Pass rate by the ${kind.rater}: ${estimateText(judge)} of ${cases}`,
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
    : `${percentText(value)} (${intervalText(corrected, SHARE)})`;
}

function estimateText({ value, interval }: Estimate): string {
  if (value === null) return 'unknown';
  const ends = intervalText(interval, SHARE);
  return ends === null ? percentText(value) : `${percentText(value)} (${ends})`;
}

function differencesText({ differences, rater, ...kind }: KindCalibration, { colors, width }: Look): string {
  if (differences.length === 0) return '';
  const most = Math.min(width, 100) - 4;
  const lines = differences.slice(0, DIFFERENCES_SHOWN).map((one) => {
    const judge = `    ${colors.dim(`${rater}:`.padEnd(7))} ${reasonText(one.judge, one.judgeReason, most)}`;
    const people = one.opinions.map(({ by, label, reason }) => {
      return `    ${colors.dim(`${safe(by)}:`)} ${reasonText(label ?? '', reason, most)}`;
    });
    return [`  ${placeText(one)}`, judge, ...people].join('\n');
  });
  const more =
    differences.length > DIFFERENCES_SHOWN ? `\n  ... and ${differences.length - DIFFERENCES_SHOWN} more` : '';
  return `${colors.bold(`Where they differ: ${safe(kindName(kind))}`)}\n${lines.join('\n')}${more}`;
}

function reasonText(verdict: string, reason: string | null, width: number): string {
  return reason === null ? verdict : `${verdict}: ${oneLine(reason, Math.max(20, width - verdict.length - 12))}`;
}

/** `home:heating, repeat 2, turn 1`, safe to print. */
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
