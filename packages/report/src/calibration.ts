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
import { type ConsoleOptions, type Look, lookOf } from './look.ts';
import { type Cell, fit, fitTable, oneLine, safe } from './terminal.ts';

/** At most so many differences are shown in full for each kind of thing. */
const DIFFERENCES_SHOWN = 10;
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
    parts.push(`Not used: ${counted(unmatched, 'label')} of cases or criteria that this scoring does not have.`);
  }
  if (kinds.length > 0) parts.push(legend(calibration));
  return parts
    .filter((part) => part !== '')
    .map((part) => fit(`${part.trimEnd()}\n`, width, longest))
    .join('\n');
}

function kindParts(kind: KindCalibration, look: Look): readonly string[] {
  const { colors, width } = look;
  const { ties, unjudged, warnings, statement, beyondChance } = kind;
  const paint = beyondChance === true ? colors.green : colors.yellow;
  const leftOut = [
    ...(ties > 0 ? [`Left out: ${counted(ties, 'tie')} between people.`] : []),
    ...(unjudged > 0 ? [`Left out: ${counted(unjudged, 'label')} where the judge has no verdict.`] : []),
  ];
  return [
    [paint(safe(statement)), ...warnings.map((one) => `Note: ${safe(one)}.`), ...leftOut].join('\n'),
    fitTable(numbers(kind, look), width),
    fitTable(confusion(kind, look), width),
    rates(kind),
    differencesText(kind, look),
  ];
}

function numbers({ raw, kappa, ac1, amongPeople }: KindCalibration, { colors }: Look): Cell[][] {
  const header = ['agreement', '', '95% interval'].map((text): Cell => ({ text, paint: colors.dim }));
  const row = (name: string, one: Coefficient) => [
    { text: name },
    { text: typeof one.value === 'number' ? plainText(one.value) : '-' },
    { text: intervalText(one.interval, PLAIN) ?? 'unknown' },
  ];
  const rows = [
    [{ text: 'same verdict' }, { text: shareOf(raw) }, { text: intervalText(raw.interval, SHARE) ?? 'unknown' }],
    row("Cohen's kappa", kappa),
    row("Gwet's AC1", ac1),
  ];
  if (typeof amongPeople?.alpha.value === 'number')
    rows.push(row(`people, ${counted(amongPeople.things, 'thing')} (alpha)`, amongPeople.alpha));
  return [header, ...rows];
}

function confusion({ table }: KindCalibration, { colors }: Look): Cell[][] {
  const header = ['', 'people: pass', 'people: fail'].map((text): Cell => ({ text, paint: colors.dim }));
  const row = (...cells: readonly (string | number)[]) => cells.map((text): Cell => ({ text: String(text) }));
  return [
    header,
    row('judge: pass', table.bothPass, table.judgePassesOnly),
    row('judge: fail', table.peoplePassOnly, table.bothFail),
  ];
}

function rates(kind: KindCalibration): string {
  const { judge, people, corrected, moreLabels } = kind.passRate;
  const lines = [
    `Pass rate by the judge: ${estimateText(judge)} of ${counted(judge.cases, 'case')}`,
    `Pass rate by people: ${estimateText(people)} of ${counted(people.cases, 'labelled case')}`,
    `Pass rate corrected by the labels: ${correctedText(corrected)}`,
  ];
  if (typeof moreLabels === 'number') {
    lines.push(`About ${counted(moreLabels, 'more labelled case')} would halve the interval of the corrected rate.`);
  } else if ('value' in corrected) lines.push(`More labels: ${moreLabels.unknown}.`);
  return lines.join('\n');
}

function correctedText(corrected: KindCalibration['passRate']['corrected']): string {
  if ('unknown' in corrected) return `unknown, because ${corrected.unknown}`;
  const { value, method } = corrected as Corrected;
  const ends = intervalText(corrected, SHARE);
  return `${percentText(value)} (${ends})${method === 'bounds' ? ', with room for mistakes that these labels did not meet' : ''}`;
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

/** `home:heating, repeat 2, turn 1`. */
export function placeText({ setId, caseId, variant, repeat, turn }: Omit<Labelled, 'criterion' | 'rubric'>): string {
  const parts = [
    `${setId}:${caseId}`,
    ...(variant === undefined ? [] : [variant]),
    ...(repeat === 0 ? [] : [`repeat ${repeat + 1}`]),
    ...(turn === null ? [] : [`turn ${turn + 1}`]),
  ];
  return safe(parts.join(', '));
}

function legend({ level }: Calibration): string {
  return [
    `An interval holds the true value in ${Math.round(level * 100)} of 100 labellings like this one, if the`,
    'labelled cases were drawn at random. Kappa and AC1 are 1 for perfect agreement',
    'and 0 for that of chance.',
  ].join('\n');
}
