import type { Flip, JudgeNoise, VerdictNoise } from '@agent-criteria/analysis';
import { intervalText, percentText, plainText } from '@agent-criteria/analysis/text';
import { counted } from '@agent-criteria/core/host';
import { placeName, placeText } from './calibration.ts';
import { htmlCode, inlineCode } from './escape-markdown.ts';
import { type ConsoleOptions, type Look, lookOf } from './look.ts';
import { fit, safe } from './terminal.ts';

/** At most so many places where a verdict flipped are named for each criterion. */
const FLIPS_SHOWN = 10;

/** How far judges agree with themselves, for a terminal. */
export function consoleNoise(noises: readonly JudgeNoise[], name: string, options: ConsoleOptions = {}): string {
  const look = lookOf(options);
  const [first] = noises;
  const times = first === undefined ? '' : `, the same answers judged ${first.repeats} times`;
  const parts = [
    `${look.colors.bold(`Noise of the judges of ${safe(name)}`)}${times}`,
    ...noises.map((one) => textOf(one, look)),
  ];
  return parts.map((part) => fit(`${part.trimEnd()}\n`, look.width, look.longest)).join('\n');
}

function textOf(noise: JudgeNoise, { colors }: Look): string {
  const { criterion, flips } = noise;
  const paint = flips.length === 0 ? colors.green : colors.yellow;
  return [
    paint(`${safe(`${criterion}: ${flippedText(noise)}`)}.`),
    ...numberLines(noise),
    ...noise.rubrics.map((one) => safe(`  rubric ${one.rubric}: ${flippedText(one)}`)),
    ...flips.slice(0, FLIPS_SHOWN).map((flip) => `  ${flipText(flip)}`),
    ...(flips.length > FLIPS_SHOWN ? [`  ... and ${flips.length - FLIPS_SHOWN} more`] : []),
  ].join('\n');
}

/** The same as Markdown, for a comment or a summary. */
export function markdownNoise(noises: readonly JudgeNoise[], name: string): string {
  const [first] = noises;
  const times = first === undefined ? '' : `, the same answers judged ${first.repeats} times`;
  const lines = [`## Noise of the judges of ${inlineCode(name, 100)}${times}`];
  for (const noise of noises) {
    const { criterion, flips, rubrics } = noise;
    lines.push('', `**${inlineCode(criterion, 100)}: ${flippedText(noise)}.**`, '');
    lines.push(...numberLines(noise).map((line) => `- ${line}`));
    if (rubrics.length > 0) {
      lines.push(
        '',
        '| rubric | verdicts | not the same each time | changed when judged once more |',
        '| --- | --- | --- | --- |',
      );
      for (const { rubric, verdicts, flipped, differ } of rubrics) {
        lines.push(`| ${inlineCode(rubric, 80)} | ${verdicts} | ${shareText(flipped)} | ${shareText(differ)} |`);
      }
    }
    if (flips.length > 0) {
      lines.push('', '| where verdicts flipped | passed |', '| --- | --- |');
      for (const { passed, of, ...place } of flips.slice(0, FLIPS_SHOWN)) {
        lines.push(`| ${htmlCode(placeName({ ...place, turn: null }), 120)} | ${passed} of ${of} times |`);
      }
      if (flips.length > FLIPS_SHOWN) lines.push('', `and ${flips.length - FLIPS_SHOWN} more`);
    }
  }
  return `${lines.join('\n')}\n`;
}

/** `3 of 40 verdicts were not the same each time, 8% (3 to 20%)`; `40 of 40 verdicts were the same each time; at most 9% are likely to change`. */
function flippedText({ verdicts, flipped, flips }: VerdictNoise): string {
  if (flipped.value === null) return 'no verdict was given twice';
  if (flips.length === 0) {
    const all = `${verdicts} of ${counted(verdicts, 'verdict')} ${verdicts === 1 ? 'was' : 'were'}`;
    return `${all} the same each time${likelyText(flipped)}`;
  }
  const were = flips.length === 1 ? 'was' : 'were';
  const average = verdicts > flipped.cases ? ' of a case on average' : '';
  return `${flips.length} of ${counted(verdicts, 'verdict')} ${were} not the same each time, ${shareText(flipped)}${average}`;
}

function numberLines({
  verdicts,
  differ,
  judgeSd,
  agentSd,
  judgeShare,
  differenceFloor,
  unjudged,
}: JudgeNoise): readonly string[] {
  return [
    ...(differ.value === null || differ.value === 0
      ? []
      : [
          `If judged once more, ${shareText(differ)} of verdicts would change${verdicts > differ.cases ? ', on average over cases' : ''}.`,
        ]),
    `Spread of a score from one judging to the next (standard deviation): ${numberText(judgeSd)}`,
    `Spread of a score from one repeat of the agent to the next, without the judge's share: ${numberText(agentSd)}`,
    ...(typeof judgeShare === 'number'
      ? [`The judge accounts for ${percentText(judgeShare)} of the variance between repeats.`]
      : []),
    ...(typeof differenceFloor === 'number'
      ? [
          `Two judgings of the same answers give means that differ by less than ${plainText(differenceFloor)} in 95 of 100 cases.`,
        ]
      : []),
    ...(unjudged > 0 ? [`Left out: ${counted(unjudged, 'judging')} without a score.`] : []),
  ];
}

function flipText({ passed, of, ...place }: Flip): string {
  return `${placeText({ ...place, turn: null })}: passed ${passed} of ${of} times`;
}

function shareText({ value, interval }: JudgeNoise['flipped']): string {
  if (value === null) return 'unknown';
  const ends = intervalText(interval, { min: 0, max: 1 });
  return `${percentText(value)}${ends === null ? '' : ` (${ends})`}`;
}

/** What none of the verdicts seen does not rule out. */
function likelyText({ interval }: JudgeNoise['flipped']): string {
  return 'unknown' in interval ? '' : `; at most ${percentText(interval.high)} are likely to change`;
}

function numberText(value: number | { readonly unknown: string }): string {
  return typeof value === 'number' ? plainText(value) : `unknown, because ${value.unknown}`;
}
