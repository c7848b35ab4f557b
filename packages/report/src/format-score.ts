import type { Evidence, Range, Score, ScorePart } from '@agent-criteria/core';
import { counted, meetsThreshold } from '@agent-criteria/core/host';
import { compareWords, isUnjudged, scoreValue } from '@agent-criteria/viewer';
import { formatScore } from './case-facts.ts';
import { formatEvidence, splitText } from './format-evidence.ts';
import { reasonText, truncate, wrapped } from './prose.ts';
import type { Style } from './style.ts';
import { indent, oneLine, safe, safeLines } from './terminal.ts';

/** Texts longer than this are shown one after the other, because a word diff would be slow and unreadable. */
const LONGEST_DIFF = 4000;
/** The minimum share of equal words at which two texts are merged into one diff. */
const ALIKE = 0.5;
/** The maximum length of a text unless `detailed`, in characters. */
const TEXT_SHOWN = 600;
/** The maximum number of parts of a score unless `detailed`. */
const PARTS_SHOWN = 20;
/** The maximum number of parts that stay in order. If there are more, the important ones come first. */
const PARTS_IN_ORDER = 5;

/**
 * Merges the expected and the actual text into one, with missing words as `[-…-]` and extra words as `{+…+}`. Returns
 * `null` if they are too different.
 */
export function wordDiff(expected: string, actual: string, { colors }: Style): string | null {
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

/** Truncates both texts around the point where they differ, unless `detailed`. */
export function sideBySide(expected: string, actual: string, detailed: boolean): readonly [string, string] {
  const [wanted, given] = [safeLines(expected), safeLines(actual)];
  if (detailed) return [wanted, given];
  let same = 0;
  while (same < wanted.length && wanted[same] === given[same]) same += 1;
  const from = Math.max(wanted.length, given.length) > TEXT_SHOWN ? Math.max(same - 60, 0) : 0;
  const shown = (text: string) => (from > 0 ? '…' : '') + truncate(text.slice(from), TEXT_SHOWN);
  return [shown(wanted), shown(given)];
}

/** The rule by which a criterion rates its scores. */
export interface Rule {
  readonly threshold: number | null;
  readonly range: Range;
}

export interface ShownScore extends Rule {
  readonly value: number | null;
  readonly reached: boolean | null;
  /** Evidence that has already been shown. */
  readonly drawn: Evidence | null;
  /** The indentation in columns. */
  readonly margin: number;
}

/** Formats the score of a turn or a conversation, with its parts and, if needed, its evidence. */
export function formatTurnScore(label: string, score: Score, shown: ShownScore, style: Style): string {
  const { reached, drawn, margin } = shown;
  const inside = { ...shown, margin: margin + 2 };
  const evidence = reached !== true || style.detailed ? (score.evidence ?? []) : [];
  return [
    wrapped(formatHead(safe(label), score, shown, style), margin, style),
    ...('parts' in score ? formatParts(score.parts, inside, style) : []).map((line) => indent(line, 2)),
    ...evidence
      .flatMap((item) => (item === drawn ? [] : formatEvidence(item, inside.margin, style)))
      .map((line) => indent(line, 2)),
  ].join('\n');
}

const MISSING = { 'not-applicable': 'not applicable', 'could-not-judge': 'could not be judged' } as const;

function formatHead(
  label: string,
  score: Score,
  { value, threshold, reached, range }: ShownScore,
  style: Style,
  split = '',
): string {
  const { colors } = style;
  const missing = 'missing' in score ? MISSING[score.missing] : undefined;
  const number = formatScore(value, threshold, reached === true ? range : null);
  const painted = missing === undefined ? (reached === false ? colors.red(number) : number) : colors.yellow(missing);
  return `${label} ${painted}${split}${score.reason === undefined ? '' : `: ${reasonText(score.reason, style)}`}`;
}

/** Formats the parts of a score. If there are many, those that fall short or could not be judged come first. */
function formatParts(parts: readonly ScorePart[], shown: ShownScore, style: Style): readonly string[] {
  const { detailed } = style;
  const isShort = (part: ScorePart) => isUnjudged(part) || isReached(scoreValue(part), shown) === false;
  const short = parts.filter(isShort);
  const many = parts.length > PARTS_IN_ORDER;
  const ordered = many ? [...short, ...parts.filter((part) => !isShort(part))] : parts;
  const listed = detailed ? ordered : ordered.slice(0, PARTS_SHOWN);
  const left = parts.length - listed.length;
  const unlisted = Math.max(short.length - listed.length, 0);
  const lines = listed.map((part) => formatPart(part, isShort(part), shown, style));
  if (left === 0) return lines;
  return [...lines, `… and ${counted(left, 'more part')}${unlisted > 0 ? `, ${unlisted} of which fall short` : ''}`];
}

function formatPart(part: ScorePart, isShort: boolean, outer: ShownScore, style: Style): string {
  const value = scoreValue(part);
  const shown = { ...outer, value, reached: isReached(value, outer) };
  const label = oneLine(part.text || part.id, style.detailed ? Number.POSITIVE_INFINITY : TEXT_SHOWN);
  if (isShort || style.detailed) return formatTurnScore(label, part, shown, style);
  return oneLine(formatHead(label, part, shown, style, splitText(part.evidence)), style.width - outer.margin);
}

function isReached(value: number | null, { threshold, range }: Rule): boolean | null {
  return value === null || threshold === null ? null : meetsThreshold(value, threshold, range, null);
}
