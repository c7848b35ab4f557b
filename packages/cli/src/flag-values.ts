import { MIN_EFFECT } from '@agent-criteria/analysis';
import { CriteriaError, didYouMean } from '@agent-criteria/core';
import { shellWord } from '@agent-criteria/project/files';
import { type CaseFilter, gatesOfTexts } from '@agent-criteria/project/plan';
import type { AskedGates } from '@agent-criteria/project/runs';
import { usage } from './arguments.ts';
import type { Given } from './command-flags.ts';
import { shownFlag } from './flag-table.ts';

/**
 * Parses the number given to a flag.
 * @throws CriteriaError USAGE for anything but a whole number above 0.
 */
export function wholeNumber(name: string, written: string | undefined): number | undefined {
  if (written === undefined) return undefined;
  const number = Number(written);
  if (written.trim() !== '' && Number.isSafeInteger(number) && number > 0) return number;
  throw usage(`${shownFlag(name)} must be a whole number above 0, not "${written}"`);
}

/**
 * Checks the value of a flag that allows only fixed values.
 * @throws CriteriaError USAGE for any other value.
 */
export function oneOf<const Value extends string>(
  name: string,
  written: string | undefined,
  values: readonly Value[],
  otherNames: Readonly<Record<string, Value>> = {},
): Value | undefined {
  const found = values.find((value) => value === written);
  if (found !== undefined || written === undefined) return found;
  const known = values.map((value) => `"${value}"`).join(', ');
  const word = written.toLowerCase();
  const meant = Object.hasOwn(otherNames, word) ? `; did you mean "${otherNames[word]}"?` : didYouMean(word, values);
  throw usage(`${shownFlag(name)} must be one of ${known}, not "${written}"${meant}`);
}

/** Parses `--min-effect`, a share of the scale above 0 and below 1. */
export function minEffectOf(text: string | undefined): number {
  if (text === undefined) return MIN_EFFECT;
  const share = Number(text);
  if (text.trim() !== '' && share > 0 && share < 1) return share;
  throw usage(`--min-effect is a share of the scale, above 0 and below 1, such as 0.05 for 5 points, not "${text}"`);
}

/** Gates given as flags, along with the flags as text. */
export interface GatesOfFlags extends AskedGates {
  /** The flags, each preceded by a space, to append to a command. */
  readonly flags: string;
}

/** Parses the gates given with `--gate` and `--baseline`. @throws CriteriaError USAGE. */
export function askedGates({ gate = [], baseline }: Pick<Given<'eval'>['flags'], 'gate' | 'baseline'>): GatesOfFlags {
  const written = [
    ...gate.map((one) => ['--gate', one]),
    ...(baseline === undefined ? [] : [['--baseline', baseline]]),
  ];
  const flags = written.map(([flag = '', value = '']) => ` ${flag} ${shellWord(value)}`).join('');
  return { gates: gatesOfTexts(gate), baseline, flags };
}

type FilterFlags = Pick<Given<'eval'>['flags'], 'tag' | 'grep' | 'only_failed' | 'failed_in'>;

export function caseFilter({ tag, grep, only_failed: onlyFailed, failed_in: failedIn }: FilterFlags): CaseFilter {
  return { tags: tag, grep, failedIn: failedIn ?? (onlyFailed === true ? 'last' : undefined) };
}

export function unknownCriterion(run: string, name: string, known: readonly string[]): CriteriaError {
  const there = didYouMean(name, known) || (known.length === 0 ? '' : `; it has ${known.join(', ')}`);
  return new CriteriaError({ code: 'UNKNOWN_CRITERION', message: `the run ${run} has no criterion "${name}"${there}` });
}
