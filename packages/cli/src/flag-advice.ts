import { closest } from '@agent-criteria/formats/schema';
import { shownFlag } from './shown-flag.ts';

/** What other tools call a flag, and which of ours is meant; a sentence where we have none. */
const MEANT: Readonly<Record<string, string>> = {
  '-c': '--config-file-path',
  '--config': '--config-file-path',
  '-n': '--repeats',
  '--runs': '--repeats',
  '--trials': '--repeats',
  '-o': '--output',
  '--out': '--output',
  '--reporter': '--output',
  '-v': '--print-detailed-results',
  '--verbose': '--print-detailed-results',
  '-t': '--grep',
  '-g': '--grep',
  '--filter': '--grep',
  '--pattern': '--grep',
  '--tags': '--tag',
  '--cases': '--case',
  '--failed': '--only-failed',
  '--failed-only': '--only-failed',
  '--last-failed': '--only-failed',
  '-j': '--concurrency-agents',
  '--parallel': '--concurrency-agents',
  '--workers': '--concurrency-agents',
  '--concurrency': '--concurrency-agents',
  '--timeout': '--turn-timeout',
  '--model': '--judge-model',
  '--judge': '--judge-model',
  '--agent': '--agent-name',
  '--mask': '--mask-secrets',
};

/** Flags that there are not, with what to do instead. */
const INSTEAD: Readonly<Record<string, string>> = {
  '--watch': 'nothing is watched here: run the command again, with --only-failed for what failed',
  '-w': 'nothing is watched here: run the command again, with --only-failed for what failed',
  '--record': 'write --recording FILE:record',
  '--replay': 'write --recording FILE:replay',
  '--recording-file': 'write --recording FILE:MODE',
  '--recording-mode': 'write --recording FILE:MODE, or --recording :MODE',
};

/** What was probably meant by a flag that a command does not have: the end of a sentence. */
export function flagAdvice(unknown: string, names: readonly string[], command: string | undefined): string {
  const written = unknown.startsWith('--') ? unknown.replaceAll('_', '-') : unknown.slice(0, 2);
  const known = names.map(shownFlag);
  const instead = INSTEAD[written];
  if (instead !== undefined && (!instead.includes('--recording') || known.includes('--recording')))
    return `: ${known.includes('--only-failed') ? instead : instead.replace(/, with --only-failed.*/, '')}`;
  const alike = MEANT[written];
  const begun = known.filter((name) => written.startsWith('--') && written.length > 4 && name.startsWith(written));
  const all = [...known, '--help'];
  const close = written.startsWith('--') ? closest(inLetters(written), all.map(inLetters)) : undefined;
  const meant =
    (alike !== undefined && known.includes(alike) ? alike : undefined) ??
    all.find((name) => inLetters(name) === close) ??
    (begun.length === 1 ? begun[0] : undefined);
  if (meant !== undefined) return `; did you mean ${meant}?`;
  if (known.length === 0) return '; this command has no flags';
  if (known.length <= 5) return `; this command has ${known.join(', ')}`;
  return `; ${seeHelp(command)}`;
}

/** Where all flags are explained. */
export function seeHelp(command: string | undefined): string {
  return `see agent-criteria ${command === undefined ? '' : `${command} `}--help all`;
}

/** Without dashes: `closest` counts slips by the letters of a name. */
function inLetters(flag: string): string {
  return flag.slice(2).replaceAll('-', '_');
}
