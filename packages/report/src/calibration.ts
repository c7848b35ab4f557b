import {
  type Calibration,
  type Coefficient,
  type Corrected,
  type Estimate,
  intervalText,
  type KindCalibration,
  kindName,
  percentText,
  plainText,
} from '@agent-criteria/analysis';
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
  const { people, kinds, unmatched } = calibration;
  const head = `${colors.bold(`Judges of ${safe(name)}`)}, labelled by ${people.map((one) => safe(one)).join(', ')}`;
  const parts = [head, ...kinds.flatMap((kind) => kindParts(kind, look))];
  if (unmatched > 0) {
    parts.push(unmatchedText(unmatched));
  }
  if (kinds.length > 0) parts.push(wrap(legend(calibration), Math.min(width, LEGEND)));
  return parts
    .filter((part) => part !== '')
    .map((part) => fit(`${part.trimEnd()}\n`, width, longest))
    .join('\n');
}

/** The same as Markdown, for a comment or a summary. */
export function markdownCalibration(calibration: Calibration, name: string): string {
  const { people, kinds, unmatched } = calibration;
  const by = people.map((one) => inlineCode(one, 60)).join(', ');
  const lines = [`## Judges of ${inlineCode(name, 100)}, labelled by ${by}`];
  for (const kind of kinds) lines.push('', ...markdownKind(kind));
  if (unmatched > 0) lines.push('', unmatchedText(unmatched));
  if (kinds.length > 0) lines.push('', legend(calibration));
  return `${lines.join('\n')}\n`;
}

function markdownKind(kind: KindCalibration): readonly string[] {
  const own = kindName(kind);
  const table = (rows: readonly (readonly string[])[], head: string, columns: number) => [
    '',
    head,
    `|${' --- |'.repeat(columns)}`,
    ...rows.map((cells) => `| ${cells.join(' | ')} |`),
  ];
  const { differences } = kind;
  const shown = differences.slice(0, DIFFERENCES_SHOWN);
  const reason = (verdict: string, why: string | null) =>
    why === null ? verdict : `${verdict}: ${htmlCode(why, 200)}`;
  return [
    // Names are text of plugins and people.
    `**${inlineCode(own, 120)}${kind.statement.slice(own.length)}**`,
    '',
    ...[...kind.warnings.map((one) => `Note: ${safe(one)}.`), ...leftOut(kind)].map((line) => `- ${line}`),
    ...table(numbers(kind), '| agreement |  | 95% interval |', 3),
    ...table(confusion(kind), '|  | people: pass | people: fail |', 3),
    '',
    ...rates(kind).map((line) => `- ${line}`),
    ...(shown.length === 0
      ? []
      : table(
          shown.map((one) => [
            htmlCode(placeName(one), 120),
            reason(one.judge, one.judgeReason),
            one.opinions
              .map(({ by, label, reason: why }) => `${htmlCode(by, 60)} ${reason(label ?? '', why)}`)
              .join('<br>'),
          ]),
          '| where they differ | judge | people |',
          3,
        )),
    ...(differences.length > shown.length ? ['', `and ${differences.length - shown.length} more`] : []),
  ];
}

function kindParts(kind: KindCalibration, look: Look): readonly string[] {
  const { colors } = look;
  const { warnings, statement, beyondChance } = kind;
  const paint = beyondChance === true ? colors.green : colors.yellow;
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

function leftOut({ ties, unjudged }: KindCalibration): readonly string[] {
  return [
    ...(ties > 0 ? [`Left out: ${counted(ties, 'tie')} between people.`] : []),
    ...(unjudged > 0 ? [`Left out: ${counted(unjudged, 'label')} where the judge has no verdict.`] : []),
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
    ['same verdict', shareOf(raw), intervalText(raw.interval, SHARE) ?? 'unknown'],
    row("Cohen's kappa", kappa),
    row("Gwet's AC1", ac1),
    ...(typeof amongPeople?.alpha.value === 'number'
      ? [row(`people with each other, ${amongPeople.things} labelled twice (alpha)`, amongPeople.alpha)]
      : []),
  ];
}

function confusion({ table }: KindCalibration): readonly (readonly string[])[] {
  return [
    ['judge: pass', String(table.bothPass), String(table.judgePassesOnly)],
    ['judge: fail', String(table.peoplePassOnly), String(table.bothFail)],
  ];
}

function rates(kind: KindCalibration): readonly string[] {
  const { judge, people, corrected, moreLabels } = kind.passRate;
  const lines = [
    `Pass rate by the judge: ${estimateText(judge)} of ${counted(judge.cases, 'case')}`,
    `Pass rate by people: ${estimateText(people)} of ${counted(people.cases, 'labelled case')}`,
    `Pass rate corrected by the labels: ${correctedText(corrected)}`,
  ];
  if (typeof moreLabels === 'number') {
    lines.push(`About ${counted(moreLabels, 'more labelled case')} would halve the interval of the corrected rate.`);
  } else if ('value' in corrected) lines.push(`More labels: ${moreLabels.unknown}.`);
  return lines;
}

function correctedText(corrected: KindCalibration['passRate']['corrected']): string {
  if ('unknown' in corrected) return `unknown, because ${corrected.unknown}`;
  const { value, method } = corrected as Corrected;
  const ends = intervalText(corrected, SHARE);
  return `${percentText(value)} (${ends})${method === 'bounds' ? ', allowing for mistakes that these labels do not show' : ''}`;
}

function estimateText({ value, interval }: Estimate): string {
  if (value === null) return 'unknown';
  const ends = intervalText(interval, SHARE);
  return ends === null ? percentText(value) : `${percentText(value)} (${ends})`;
}

function shareOf({ value }: Estimate): string {
  return value === null ? '-' : percentText(value);
}

function differencesText({ differences, ...kind }: KindCalibration, { colors, width }: Look): string {
  if (differences.length === 0) return '';
  const most = Math.min(width, 100) - 4;
  const lines = differences.slice(0, DIFFERENCES_SHOWN).map((one) => {
    const judge = `    ${colors.dim('judge: ')} ${reasonText(one.judge, one.judgeReason, most)}`;
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
  return `Of 100 such confidence intervals, about ${Math.round(level * 100)} contain the true value, if the labelled cases were chosen at random. Kappa and AC1 are 1 for perfect agreement, and 0 for as much agreement as chance would give.`;
}
