import { type ParseArgsConfig, parseArgs } from 'node:util';
import { CriteriaError } from '@agent-criteria/core';

/** The values of flags, by their ADK spelling. */
export type Flags = Readonly<Record<string, string | boolean | undefined>>;

/**
 * Parses flags in ADK's spelling (`--config_file_path F`); dashes and `--flag=value` are accepted too.
 * @throws CriteriaError USAGE for an unknown flag or a missing value.
 */
export function parseFlags(
  args: readonly string[],
  options: NonNullable<ParseArgsConfig['options']>,
): { flags: Flags; positionals: string[] } {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const spelled = args.map((arg, index) => (index < end && arg.startsWith('--') ? inSnakeCase(arg) : arg));
  try {
    const { values, positionals } = parseArgs({ args: spelled, options, allowPositionals: true, strict: true });
    return { flags: values as Flags, positionals };
  } catch (error) {
    const message = error instanceof Error ? (error.message.split('. ')[0] ?? error.message) : String(error);
    const known = Object.keys(options).map((name) => `--${name}`);
    throw new CriteriaError({ code: 'USAGE', message: `${message}; the flags are ${known.join(', ')}` });
  }
}

/** `--config-file-path=my-file` -> `--config_file_path=my-file`. */
function inSnakeCase(flag: string): string {
  const [name = '', ...value] = flag.slice(2).split('=');
  return `--${[name.replaceAll('-', '_'), ...value].join('=')}`;
}

/** One EVALSET argument: a path, and the cases chosen from it (none: all). */
export interface EvalSetArgument {
  readonly path: string;
  readonly cases: readonly string[];
}

/**
 * Splits `path:case1,case2`. A drive letter is no path (`C:\sets\a.json:case1`); names are trimmed, empty ones dropped.
 */
export function parseEvalSetArgument(argument: string): EvalSetArgument {
  const drive = /^[A-Za-z]:[\\/]/.test(argument) ? 2 : 0;
  const colon = argument.indexOf(':', drive);
  if (colon === -1) return { path: argument, cases: [] };
  const cases = argument
    .slice(colon + 1)
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return { path: argument.slice(0, colon), cases };
}
