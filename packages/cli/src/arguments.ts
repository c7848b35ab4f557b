import { type ParseArgsConfig, parseArgs } from 'node:util';
import { CriteriaError, didYouMean } from '@agent-criteria/core';
import { commandFlags } from './command-flags.ts';
import { flagAdvice, seeHelp } from './flag-advice.ts';
import type { FlagTable } from './flag-table.ts';
import { shownFlag } from './shown-flag.ts';

/** What was given for each flag of a table. */
export type FlagValues<Table extends FlagTable> = {
  readonly [Name in keyof Table]?: Table[Name]['type'] extends 'boolean'
    ? boolean
    : Table[Name] extends { readonly multiple: true }
      ? string[]
      : string;
};

/** The values of flags, by their ADK spelling. */
export type Flags = Readonly<Record<string, string | boolean | undefined>>;

/**
 * Parses flags, with dashes (`--config-file-path F`) or with ADK's underscores, and `--flag=value`.
 * @throws CriteriaError USAGE for an unknown flag, and for a value that is missing or empty.
 */
export function parseFlags<const Table extends FlagTable>(
  args: readonly string[],
  table: Table,
): { flags: FlagValues<Table>; positionals: string[] } {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const spelled = args.map((arg, index) => (index < end && arg.startsWith('--') ? inSnakeCase(arg) : arg));
  const options = table as NonNullable<ParseArgsConfig['options']>;
  try {
    const { values, positionals } = parseArgs({ args: spelled, options, allowPositionals: true, strict: true });
    refuseEmpty(values, positionals);
    return { flags: values as FlagValues<Table>, positionals };
  } catch (error) {
    if (CriteriaError.is(error)) throw error;
    const message = error instanceof Error ? (error.message.split(/\.\s/)[0] ?? error.message) : String(error);
    const unknown = /^Unknown option '(--?[^']+)'/.exec(message)?.[1];
    if (unknown === undefined) throw usage(`${mistakeIn(message)}; ${seeHelp(commandOf(table))}`);
    // As it was typed.
    const place = spelled.findIndex((arg, index) => index < end && arg.split('=')[0] === unknown);
    const [typed = unknown] = (args[place] ?? unknown).split('=');
    const names = Object.keys(table);
    const advice = flagAdvice(typed, names, commandOf(table));
    throw usage(`there is no flag ${typed}${advice}`);
  }
}

/**
 * An empty text is a shell variable that is not set: taken for a value, it would name the only run, or every case.
 * @throws CriteriaError USAGE.
 */
function refuseEmpty(flags: Readonly<Record<string, unknown>>, positionals: readonly string[]): void {
  const isEmpty = (value: unknown) => typeof value === 'string' && value.trim() === '';
  const empty = Object.entries(flags).find(([, value]) => [value].flat().some(isEmpty))?.[0];
  const place = positionals.findIndex(isEmpty);
  if (empty === undefined && place < 0) return;
  const what = empty === undefined ? `as argument ${place + 1}` : `for ${shownFlag(empty)}`;
  throw usage(`an empty text was given ${what}: probably a shell variable that is empty or not set`);
}

/** What Node says of a flag that it knows, in our words. */
function mistakeIn(message: string): string {
  const [, flag = ''] = /^Option '(?:-\w, )?--([\w-]+)/.exec(message) ?? [];
  if (flag === '') return message;
  if (/does not take an argument/.test(message)) return `${shownFlag(flag)} takes no value`;
  return `${shownFlag(flag)} needs a value`;
}

function commandOf(table: FlagTable): string | undefined {
  return Object.entries(commandFlags).find(([, flags]) => flags === table)?.[0];
}

/** `--config-file-path=my-file` -> `--config-file-path=my-file`. */
function inSnakeCase(flag: string): string {
  const [name = '', ...value] = flag.slice(2).split('=');
  return `--${[name.replaceAll('-', '_'), ...value].join('=')}`;
}

/**
 * The number of a flag.
 * @throws CriteriaError USAGE for anything but a whole number above 0.
 */
export function wholeNumber(name: string, written: string | undefined): number | undefined {
  if (written === undefined) return undefined;
  const number = Number(written);
  if (written.trim() !== '' && Number.isSafeInteger(number) && number > 0) return number;
  throw usage(`${shownFlag(name)} must be a whole number above 0, not "${written}"`);
}

/**
 * The value of a flag that knows only some.
 * @throws CriteriaError USAGE for any other.
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

/** @throws CriteriaError USAGE when there are more arguments than the command takes. */
export function atMost(count: number, positionals: readonly string[], form: string): void {
  const extra = positionals[count];
  if (extra !== undefined) throw usage(`"${extra}" is an unexpected argument; usage: ${form}`);
}

/** A mistake in what was asked of the command. */
export function usage(message: string): CriteriaError {
  return new CriteriaError({ code: 'USAGE', message });
}
