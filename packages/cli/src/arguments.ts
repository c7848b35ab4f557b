import { parseArgs } from 'node:util';
import { CriteriaError } from '@agent-criteria/core';
import { flagAdvice, seeHelp } from './flag-advice.ts';
import { type FlagTable, SHORT_FLAGS, shownFlag } from './flag-table.ts';

export type FlagValues<Table extends FlagTable> = {
  readonly [Name in keyof Table]?: Table[Name]['type'] extends 'boolean'
    ? boolean
    : Table[Name] extends { readonly multiple: true }
      ? string[]
      : string;
};

/**
 * Parses flags with dashes (`--config-file-path F`) or with ADK's underscores, `--flag=value`, and short flags (`-c
 * F`).
 *
 * @param command The name of the command, for messages.
 * @throws CriteriaError USAGE for an unknown flag, and for a value that is missing, empty or not expected.
 */
export function parseFlags<const Table extends FlagTable>(
  args: readonly string[],
  table: Table,
  command?: string,
): { flags: FlagValues<Table>; positionals: string[] } {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const spelled = args.map((arg, index) =>
    index < end && arg.startsWith('--') ? withBareValue(inSnakeCase(arg), table) : arg,
  );
  const options = Object.entries(table).map(([name, { type, multiple = false }]) => {
    const short = SHORT_FLAGS[name];
    return [name, { type, multiple, ...(short === undefined ? {} : { short }) }] as const;
  });
  const { values, positionals, tokens } = parseArgs({
    args: spelled,
    options: Object.fromEntries(options),
    allowPositionals: true,
    // Unknown flags are rejected below instead, because Node's own errors explain the problem only in prose.
    strict: false,
    tokens: true,
  });
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const { name, rawName, value, inlineValue, index } = token;
    const flag = Object.hasOwn(table, name) ? table[name] : undefined;
    if (flag === undefined) {
      const typed = rawName.startsWith('--') ? (args[index]?.split('=')[0] ?? rawName) : rawName;
      throw usage(`there is no flag ${typed}${flagAdvice(typed, Object.keys(table), command)}`);
    }
    const isMissing = value === undefined || (!inlineValue && /^-./.test(value));
    if (flag.type === 'string' && isMissing) throw usage(`${shownFlag(name)} needs a value; ${seeHelp(command)}`);
    if (flag.type === 'boolean' && value !== undefined)
      throw usage(`${shownFlag(name)} takes no value; ${seeHelp(command)}`);
  }
  refuseEmpty(values, positionals);
  return { flags: values as FlagValues<Table>, positionals };
}

/**
 * Rejects empty strings, which come from unset shell variables and would otherwise select the only run, or every case.
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

/**
 * Parses the port of a flag.
 * @throws CriteriaError USAGE unless it is one, or 0 for any.
 */
export function portOf(name: string, written: string | undefined): number | undefined {
  if (written === undefined) return undefined;
  const port = /^\d+$/.test(written) ? Number(written) : Number.NaN;
  if (port <= 65_535) return port;
  throw usage(`${shownFlag(name)} must be a whole number from 0 to 65535, not "${written}"`);
}

/** `--config-file-path=my-file` -> `--config_file_path=my-file`. */
function inSnakeCase(flag: string): string {
  const [name = '', ...value] = flag.slice(2).split('=');
  return `--${[name.replaceAll('-', '_'), ...value].join('=')}`;
}

/** `--inspect` -> `--inspect=9229`. */
function withBareValue(flag: string, table: FlagTable): string {
  const name = flag.slice(2);
  const bare = Object.hasOwn(table, name) ? table[name]?.bare : undefined;
  return bare === undefined ? flag : `${flag}=${bare}`;
}

export function usage(message: string): CriteriaError {
  return new CriteriaError({ code: 'USAGE', message });
}
