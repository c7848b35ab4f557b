import type { Evidence, Range, Score, ScorePart } from '@agent-criteria/core';
import { counted, meetsThreshold } from '@agent-criteria/core/host';
import { compareWords, couldNotJudge, scoreValue } from '@agent-criteria/viewer';
import { formatScore } from './case-facts.ts';
import { formatEvidence, splitText } from './format-evidence.ts';
import type { Look } from './look.ts';
import { cut, told, wrapped } from './prose.ts';
import { indent, oneLine, safe, safeLines } from './terminal.ts';

/** Longer texts are shown one after the other: a word diff of them takes long and helps nobody. */
const LONGEST_DIFF = 4000;
/** The share of two texts that must be equal for them to be shown as one. */
const ALIKE = 0.5;
/** How much is shown of a text, unless everything is wanted. */
const TEXT_SHOWN = 600;
/** How many parts of a score, unless everything is wanted. */
const PARTS_SHOWN = 20;
/** A few parts are read in their order; of more, those have to be found that matter. */
const PARTS_IN_ORDER = 5;

/** Expected and actual in one text: what is missing as `[-…-]`, what is extra as `{+…+}`. `null`: they are too different. */
export function wordDiff(expected: string, actual: string, { colors }: Look): string | null {
  if (expected.length + actual.length > LONGEST_DIFF) return null;
  const changes = compareWords(safeLines(expected), safeLines(actual));
  if (changes === null) return null;
  const shared = changes.reduce((sum, { text, of }) => sum + (of === 'both' ? text.length : 0), 0);
  if (shared < ALIKE * Math.max(expected.length, actual.length)) return null;
  return changes
    .map(({ text, of }) => {
      if (of === 'before') return colors.red(`[-${text}-]`);
      return of === 'after' ? colors.green(`{+${text}+}`) : text;
    })
    .join('')
    .replace(/##(?=\[-)/g, '#\\#');
}

/** Both texts, cut to where they differ unless everything is wanted. */
export function sideBySide(expected: string, actual: string, detailed: boolean): readonly [string, string] {
  const [wanted, given] = [safeLines(expected), safeLines(actual)];
  if (detailed) return [wanted, given];
  let same = 0;
  while (same < wanted.length && wanted[same] === given[same]) same += 1;
  const from = Math.max(wanted.length, given.length) > TEXT_SHOWN ? Math.max(same - 60, 0) : 0;
  const shown = (text: string) => (from > 0 ? '…' : '') + cut(text.slice(from), TEXT_SHOWN);
  return [shown(wanted), shown(given)];
}

/** How a criterion stands to the numbers that it gives. */
export interface Rule {
  readonly threshold: number | null;
  readonly range: Range;
}

export interface ShownScore extends Rule {
  readonly value: number | null;
  readonly reached: boolean | null;
  /** Evidence that stands above the scores already. */
  readonly drawn: Evidence | null;
  /** How many columns stand before it. */
  readonly margin: number;
}

/** A score of a turn or a conversation, with its parts and, where it is wanted, what it rests on. */
export function formatTurnScore(label: string, score: Score, shown: ShownScore, look: Look): string {
  const { reached, drawn, margin } = shown;
  const inside = { ...shown, margin: margin + 2 };
  const evidence = reached !== true || look.detailed ? (score.evidence ?? []) : [];
  return [
    wrapped(formatHead(safe(label), score, shown, look), margin, look),
    ...('parts' in score ? formatParts(score.parts, inside, look) : []).map((line) => indent(line, 2)),
    ...evidence
      .flatMap((item) => (item === drawn ? [] : formatEvidence(item, inside.margin, look)))
      .map((line) => indent(line, 2)),
  ].join('\n');
}

const MISSING = { 'not-applicable': 'not applicable', 'could-not-judge': 'could not be judged' } as const;

function formatHead(
  label: string,
  score: Score,
  { value, threshold, reached, range }: ShownScore,
  look: Look,
  split = '',
): string {
  const { colors } = look;
  const missing = 'missing' in score ? MISSING[score.missing] : undefined;
  const number = formatScore(value, threshold, reached === true ? range : null);
  const painted = missing === undefined ? (reached === false ? colors.red(number) : number) : colors.yellow(missing);
  return `${label} ${painted}${split}${score.reason === undefined ? '' : `: ${told(score.reason, look)}`}`;
}

/** The parts of a score. Of many, those come first that fall short or could not be judged. */
function formatParts(parts: readonly ScorePart[], shown: ShownScore, look: Look): readonly string[] {
  const { detailed } = look;
  const isShort = (part: ScorePart) => couldNotJudge(part) || isReached(scoreValue(part), shown) === false;
  const short = parts.filter(isShort);
  const many = parts.length > PARTS_IN_ORDER;
  const ordered = many ? [...short, ...parts.filter((part) => !isShort(part))] : parts;
  const listed = detailed ? ordered : ordered.slice(0, PARTS_SHOWN);
  const left = parts.length - listed.length;
  const unlisted = Math.max(short.length - listed.length, 0);
  const lines = listed.map((part) => formatPart(part, isShort(part), shown, look));
  if (left === 0) return lines;
  return [...lines, `… and ${counted(left, 'more part')}${unlisted > 0 ? `, ${unlisted} of which fall short` : ''}`];
}

function formatPart(part: ScorePart, isShort: boolean, outer: ShownScore, look: Look): string {
  const value = scoreValue(part);
  const shown = { ...outer, value, reached: isReached(value, outer) };
  const label = oneLine(part.text || part.id, look.detailed ? Number.POSITIVE_INFINITY : TEXT_SHOWN);
  if (isShort || look.detailed) return formatTurnScore(label, part, shown, look);
  return oneLine(formatHead(label, part, shown, look, splitText(part.evidence)), look.width - outer.margin);
}

function isReached(value: number | null, { threshold, range }: Rule): boolean | null {
  return value === null || threshold === null ? null : meetsThreshold(value, threshold, range, null);
}
