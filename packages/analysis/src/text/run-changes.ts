import type { Verdict } from '@agent-criteria/core/host';
import { runFactsText } from '@agent-criteria/results/text';
import type { RunChanges, VerdictChange } from '../verdict-changes.ts';

const NOW: readonly (readonly [Verdict, string])[] = [
  ['failed', 'now failing'],
  ['error', 'now ending in an error'],
  ['not-evaluated', 'no longer judged'],
  ['passed', 'now passing'],
  ['informational', 'now only measured'],
];

/** Changed verdicts of one kind. */
export interface VerdictGroup {
  /** Such as `now failing`. */
  readonly text: string;
  readonly changes: readonly VerdictChange[];
}

/** Groups changed verdicts by what they are now: failures first. */
export function verdictGroups(changes: readonly VerdictChange[]): readonly VerdictGroup[] {
  return NOW.map(([verdict, text]) => ({ text, changes: changes.filter(({ now }) => now === verdict) })).filter(
    (group) => group.changes.length > 0,
  );
}

export interface RunChangesOptions {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The maximum length of the text in characters; cases that do not fit are counted. Default 160, two lines. */
  readonly room?: number | undefined;
  /** Makes a name safe to show. Default: names are shown as they are. */
  readonly shown?: ((name: string) => string) | undefined;
}

/**
 * Lists the verdicts that changed since the run before: `Since 20261128-044410-k3f9 (commit abc1234, 2 h ago): now
 * failing: a, b; now passing: c`.
 */
export function runChangesText(
  since: RunChanges,
  { now, room = 160, shown = (name) => name }: RunChangesOptions,
): string {
  const { run, changes } = since;
  const head = `Since ${shown(run)} (${shown(runFactsText(since, now))}): `;
  if (changes.length === 0) return `${head}no verdict changed`;
  const manySets = new Set(changes.map(({ setId }) => setId)).size > 1;
  const nameOf = ({ setId, caseId, variant }: VerdictChange) =>
    shown(`${manySets ? `${setId}:` : ''}${caseId}${variant === undefined ? '' : ` (${variant})`}`);
  const groups = verdictGroups(changes).map((group) => ({ text: group.text, names: group.changes.map(nameOf) }));
  // A name takes more than one character, so no more than this fit.
  const most = Math.min(room, Math.max(...groups.map(({ names }) => names.length)));
  for (let kept = most; ; kept -= 1) {
    const text = `${head}${groups.map((group) => groupText(group, kept)).join('; ')}`;
    if (text.length <= room || kept === 0) return text;
  }
}

function groupText(
  { text, names }: { readonly text: string; readonly names: readonly string[] },
  most: number,
): string {
  if (names.length <= most) return `${text}: ${names.join(', ')}`;
  if (most === 0) return `${text}: ${names.length.toLocaleString('en')} cases`;
  return `${text}: ${names.slice(0, most).join(', ')} and ${(names.length - most).toLocaleString('en')} more`;
}
