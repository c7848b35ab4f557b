import { type Flip, intervalText, type JudgeNoise, percentText, plainText } from '@agent-criteria/analysis';
import { counted } from '@agent-criteria/core/host';
import { placeText } from './calibration.ts';
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
  const { criterion, verdicts, flipped, differ, judgeSd, agentSd, judgeShare, floor, flips, unjudged } = noise;
  const paint = flips.length === 0 ? colors.green : colors.yellow;
  const flippedText =
    flipped.value === null
      ? `${criterion}: no verdict was given twice`
      : `${criterion}: ${flips.length} of ${counted(verdicts, 'verdict')} ${flips.length === 1 ? 'was' : 'were'} not the same each time, ${shareText(flipped)}${verdicts > flipped.cases ? ' of a case on average' : ''}`;
  return [
    paint(`${safe(flippedText)}.`),
    ...(differ.value === null
      ? []
      : [
          `Judged once more, ${shareText(differ)} of verdicts change${verdicts > differ.cases ? ', on average over cases' : ''}.`,
        ]),
    `Spread of a score when it is judged again (standard deviation): ${numberText(judgeSd)}`,
    `Spread from one repeat of the agent to the next, without the judge's: ${numberText(agentSd)}`,
    ...(typeof judgeShare === 'number'
      ? [`The judge makes ${percentText(judgeShare)} of the variance between repeats.`]
      : []),
    ...(typeof floor === 'number'
      ? [`The mean of this run moves by up to ${plainText(floor)} in 95 of 100 judgings, although nothing changed.`]
      : []),
    ...(unjudged > 0 ? [`Left out: ${counted(unjudged, 'judging')} without a score.`] : []),
    ...flips.slice(0, FLIPS_SHOWN).map((flip) => `  ${flipText(flip)}`),
    ...(flips.length > FLIPS_SHOWN ? [`  ... and ${flips.length - FLIPS_SHOWN} more`] : []),
  ].join('\n');
}

function flipText({ passed, of, ...place }: Flip): string {
  return `${placeText({ ...place, turn: null })}: passed ${passed} of ${of} times`;
}

function shareText({ value, interval }: JudgeNoise['flipped']): string {
  const ends = intervalText(interval, { min: 0, max: 1 });
  return `${percentText(value ?? 0)}${ends === null ? '' : ` (${ends})`}`;
}

function numberText(value: number | { readonly unknown: string }): string {
  return typeof value === 'number' ? plainText(value) : `unknown, because ${value.unknown}`;
}
