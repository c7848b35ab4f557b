import type { Evidence, Score } from '@agent-criteria/core';
import { diffWordsWithSpace } from 'diff';
import { formatScore } from './case-facts.ts';
import { jsonText } from './json-text.ts';
import type { Look } from './look.ts';
import { indent, safe } from './terminal.ts';

/** Longer texts are shown one after the other: a word diff of them takes long and helps nobody. */
const LONGEST_DIFF = 4000;
/** The share of two texts that must be equal for them to be shown as one. */
const ALIKE = 0.5;
/** How much is shown of a text, unless everything is wanted. */
const TEXT_SHOWN = 600;
/** How much of a reason. */
const REASON_SHOWN = 2000;

/** Expected and actual in one text: what is missing as `[-…-]`, what is extra as `{+…+}`. `null`: they are too different. */
export function wordDiff(expected: string, actual: string, { colors }: Look): string | null {
  if (expected.length + actual.length > LONGEST_DIFF) return null;
  const changes = diffWordsWithSpace(safe(expected), safe(actual));
  const same = changes.filter((change) => !change.added && !change.removed);
  const shared = same.reduce((sum, change) => sum + change.value.length, 0);
  if (shared < ALIKE * Math.max(expected.length, actual.length)) return null;
  return changes
    .map((change) => {
      if (change.removed) return colors.red(`[-${change.value}-]`);
      return change.added ? colors.green(`{+${change.value}+}`) : change.value;
    })
    .join('');
}

/** Both texts, cut to where they differ unless everything is wanted. */
export function sideBySide(expected: string, actual: string, detailed: boolean): readonly [string, string] {
  const [wanted, given] = [safe(expected), safe(actual)];
  if (detailed) return [wanted, given];
  let same = 0;
  while (same < wanted.length && wanted[same] === given[same]) same += 1;
  const from = Math.max(wanted.length, given.length) > TEXT_SHOWN ? Math.max(same - 60, 0) : 0;
  const shown = (text: string) => (from > 0 ? '…' : '') + cut(text.slice(from), TEXT_SHOWN);
  return [shown(wanted), shown(given)];
}

export function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

/** A reason or a message, safe, and cut where it goes on and on unless everything is wanted. */
export function told(text: string, { detailed }: Look): string {
  return detailed ? safe(text) : cut(safe(text), REASON_SHOWN);
}

export interface ShownScore {
  readonly value: number | null;
  readonly threshold: number | null;
  readonly reached: boolean | null;
  /** Evidence that stands above the scores already. */
  readonly drawn: Evidence | null;
}

/** A score of a turn, a conversation or a part, with its parts and, where it is wanted, what it rests on. */
export function formatTurnScore(label: string, score: Score, shown: ShownScore, look: Look): string {
  const { colors, detailed } = look;
  const { value, threshold, reached, drawn } = shown;
  const missing = 'missing' in score ? MISSING[score.missing] : undefined;
  const number = formatScore(value, threshold);
  const painted = missing === undefined ? (reached === false ? colors.red(number) : number) : colors.yellow(missing);
  const lines = [`${safe(label)} ${painted}${score.reason === undefined ? '' : `: ${told(score.reason, look)}`}`];
  for (const part of 'parts' in score ? score.parts : []) {
    const shownPart = { ...shown, value: 'value' in part ? part.value : null, reached: null };
    lines.push(indent(formatTurnScore(part.text ?? part.id, part, shownPart, look), 2));
  }
  const evidence = reached !== true || detailed ? (score.evidence ?? []) : [];
  for (const item of evidence) if (item !== drawn) lines.push(indent(formatEvidence(item, look), 2));
  return lines.join('\n');
}

const MISSING = { 'not-applicable': 'not applicable', 'could-not-judge': 'could not be judged' } as const;

/** Evidence of any criterion as text. */
function formatEvidence(evidence: Evidence, { colors, detailed }: Look): string {
  const shown = (value: unknown) => {
    const text = safe(typeof value === 'string' ? value : jsonText(value));
    return detailed ? text : cut(text, TEXT_SHOWN);
  };
  switch (evidence.kind) {
    case 'note':
      return shown(evidence.text);
    case 'json':
      return `${evidence.label === undefined ? '' : `${safe(evidence.label)}: `}${shown(evidence.value)}`;
    case 'diff': {
      const place = evidence.path === undefined ? '' : `${safe(evidence.path)}\n`;
      return `${place}${colors.red(`- ${shown(evidence.expected)}`)}\n${colors.green(`+ ${shown(evidence.actual)}`)}`;
    }
    case 'vote':
      return `${evidence.positive} yes, ${evidence.negative} no, ${evidence.unreadable} unreadable of ${evidence.of}`;
    case 'words': {
      const { missing, extra } = evidence;
      return [
        ...(missing.length > 0 ? [`missing: ${shown(missing.join(' '))}`] : []),
        ...(extra.length > 0 ? [`extra: ${shown(extra.join(' '))}`] : []),
      ].join('\n');
    }
  }
}
