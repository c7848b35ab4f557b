import type { Flip, JudgeNoise, VerdictNoise } from '@agent-criteria/analysis';
import { percentText, plainText } from '@agent-criteria/analysis/text';
import { counted } from '@agent-criteria/core/host';
import { placeName, shareText } from './calibration.ts';
import { consoleParts, markdownList, markdownParts, markdownTable, moreText } from './document.ts';
import { htmlCode, inlineCode } from './escape-markdown.ts';
import { type ConsoleOptions, styleOf } from './style.ts';
import { safe } from './terminal.ts';

/** The maximum number of flipped verdicts shown for each criterion. */
const FLIPS_SHOWN = 10;

/** Formats, for a terminal, how well judges agree with themselves. */
export function consoleNoise(noises: readonly JudgeNoise[], name: string, options: ConsoleOptions = {}): string {
  const style = styleOf(options);
  const { colors } = style;
  return consoleParts(
    [
      `${colors.bold(`Noise of the judges of ${safe(name)}`)}${timesText(noises)}`,
      ...noises.map((noise) => {
        const { criterion, flips, rubrics } = noise;
        const paint = flips.length === 0 ? colors.green : colors.yellow;
        const more = moreText(flips, FLIPS_SHOWN);
        return [
          paint(`${safe(`${criterion}: ${flippedText(noise)}`)}.`),
          ...numberLines(noise),
          ...rubrics.map((one) => safe(`  rubric ${one.rubric}: ${flippedText(one)}`)),
          ...flips
            .slice(0, FLIPS_SHOWN)
            .map((flip) => `  ${safe(flipPlace(flip))}: passed ${flip.passed} of ${flip.of} times`),
          ...(more === '' ? [] : [`  ... ${more}`]),
        ].join('\n');
      }),
    ],
    style,
  );
}

/** Formats the same content as Markdown, for a comment or a summary. */
export function markdownNoise(noises: readonly JudgeNoise[], name: string): string {
  return markdownParts([
    `## Noise of the judges of ${inlineCode(name, 100)}${timesText(noises)}`,
    ...noises.flatMap((noise) => {
      const { criterion, flips, rubrics } = noise;
      const ofRubrics = rubrics.map(({ rubric, verdicts, flipped, differ }) => {
        return [inlineCode(rubric, 80), String(verdicts), shareText(flipped), shareText(differ)];
      });
      const ofFlips = flips
        .slice(0, FLIPS_SHOWN)
        .map((flip) => [htmlCode(flipPlace(flip), 120), `${flip.passed} of ${flip.of} times`]);
      return [
        `**${inlineCode(criterion, 100)}: ${flippedText(noise)}.**`,
        markdownList(numberLines(noise)),
        rubrics.length === 0 ? '' : markdownTable({ head: RUBRICS, rows: ofRubrics }),
        flips.length === 0 ? '' : markdownTable({ head: ['where verdicts flipped', 'passed'], rows: ofFlips }),
        moreText(flips, FLIPS_SHOWN),
      ];
    }),
  ]);
}

const RUBRICS = ['rubric', 'verdicts', 'not the same each time', 'changed when judged once more'];

function timesText([first]: readonly JudgeNoise[]): string {
  return first === undefined ? '' : `, the same answers judged ${first.repeats} times`;
}

function flipPlace({ passed: _, of: __, ...place }: Flip): string {
  return placeName({ ...place, turn: null });
}

/**
 * Formats `3 of 40 verdicts were not the same each time, 8% (3 to 20%)`, or
 * `40 of 40 verdicts were the same each time; at most 9% are likely to change`.
 */
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

/** Formats the largest share of changes that is plausible even though all verdicts were equal. */
function likelyText({ interval }: JudgeNoise['flipped']): string {
  return 'unknown' in interval ? '' : `; at most ${percentText(interval.high)} are likely to change`;
}

function numberText(value: number | { readonly unknown: string }): string {
  return typeof value === 'number' ? plainText(value) : `unknown, because ${value.unknown}`;
}
