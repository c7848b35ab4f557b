import { closest } from '@agent-criteria/formats/schema';
import { shownFlag } from './flag-table.ts';

/** Names that other tools give to our flags. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  '--config-file-path': ['--config'],
  '--repeats': ['--runs', '--trials'],
  '--output': ['--out', '--reporter'],
  '--print-detailed-results': ['--verbose'],
  '--grep': ['-g', '--filter', '--pattern'],
  '--tag': ['--tags'],
  '--case': ['--cases'],
  '--only-failed': ['--failed', '--failed-only', '--last-failed'],
  '--concurrency-agents': ['--parallel', '--workers', '--concurrency'],
  '--turn-timeout': ['--timeout'],
  '--judge-model': ['--model', '--judge'],
  '--agent-name': ['--agent'],
  '--mask-secrets': ['--mask'],
};

/** Flags of other tools that have no counterpart here, and what to do instead. */
const INSTEAD: Readonly<Record<string, string>> = {
  '--watch': 'only agent-criteria eval watches',
  '-w': 'only agent-criteria eval watches',
  '--record': 'write --recording FILE:record',
  '--replay': 'write --recording FILE:replay',
  '--recording-file': 'write --recording FILE:MODE',
  '--recording-mode': 'write --recording FILE:MODE, or --recording :MODE',
};

/** Suggests the flag that was probably meant instead of an unknown one, as the end of a sentence. */
export function flagAdvice(unknown: string, names: readonly string[], command: string | undefined): string {
  const written = unknown.startsWith('--') ? unknown.replaceAll('_', '-') : unknown.slice(0, 2);
  const known = names.map(shownFlag);
  const instead = INSTEAD[written];
  if (instead !== undefined && (!instead.includes('--recording') || known.includes('--recording')))
    return `: ${known.includes('--only-failed') ? instead : instead.replace(/, with --only-failed.*/, '')}`;
  const begun = known.filter((name) => written.startsWith('--') && written.length > 4 && name.startsWith(written));
  const all = [...known, '--help'];
  const close = written.startsWith('--') ? closest(inLetters(written), all.map(inLetters)) : undefined;
  const meant =
    known.find((name) => OTHER_NAMES[name]?.includes(written)) ??
    all.find((name) => inLetters(name) === close) ??
    (begun.length === 1 ? begun[0] : undefined);
  if (meant !== undefined) return `; did you mean ${meant}?`;
  if (known.length === 0) return '; this command has no flags';
  if (known.length <= 5) return `; this command has ${known.join(', ')}`;
  return `; ${seeHelp(command)}`;
}

/** Refers to the help on all flags. */
export function seeHelp(command: string | undefined): string {
  return `see agent-criteria ${command === undefined ? '' : `${command} `}--help all`;
}

/** Replaces dashes, because `closest` compares the letters of names. */
function inLetters(flag: string): string {
  return flag.slice(2).replaceAll('-', '_');
}
