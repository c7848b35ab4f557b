import type { RunCommit, RunInfo } from '../run-record.ts';

/** Shortens a commit: `abc1234`, or `abc1234 with changes` if files differed from it. */
export function commitText({ hash, dirty }: RunCommit): string {
  return `${hash.slice(0, 7)}${dirty === true ? ' with changes' : ''}`;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Tells how long ago a time was: `just now`, `5 min ago`, `2 h ago`, `3 days ago`. */
export function agoText(time: number, now: number): string {
  const age = Math.max(now - time, 0);
  if (age < MINUTE) return 'just now';
  if (age < HOUR) return `${Math.floor(age / MINUTE)} min ago`;
  if (age < 2 * DAY) return `${Math.floor(age / HOUR)} h ago`;
  return `${Math.floor(age / DAY).toLocaleString('en')} days ago`;
}

/** Describes a run by its name, commit and age: `"shorter prompt", commit abc1234, 2 h ago`. */
export function runFactsText(
  { name, commit, startedAt }: Pick<RunInfo, 'name' | 'commit' | 'startedAt'>,
  now: number,
): string {
  return [
    ...(name === undefined ? [] : [`"${name}"`]),
    ...(commit === undefined ? [] : [`commit ${commitText(commit)}`]),
    agoText(startedAt, now),
  ].join(', ');
}
