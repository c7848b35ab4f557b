import type { Ending } from '@agent-criteria/core';
import { counted } from '@agent-criteria/core/host';
import type { RunCase } from '@agent-criteria/results';

/** The numbers of conversations with simulated users, by stop reason. */
export type EndingCounts = Readonly<Partial<Record<Ending['by'], number>>>;

/** Counts the endings of a case's conversations. Fixed conversations are not counted. */
export function endingsOf(one: Pick<RunCase, 'evalCase' | 'result'>): EndingCounts {
  const counts: Partial<Record<Ending['by'], number>> = {};
  if (isSimulated(one)) for (const { ending } of one.result.units) counts[ending.by] = (counts[ending.by] ?? 0) + 1;
  return counts;
}

export function addEndings(left: EndingCounts, right: EndingCounts): EndingCounts {
  const sum: Partial<Record<Ending['by'], number>> = { ...left };
  for (const [by, count] of Object.entries(right) as [Ending['by'], number][]) sum[by] = (sum[by] ?? 0) + count;
  return sum;
}

export function isSimulated({ evalCase }: Pick<RunCase, 'evalCase'>): boolean {
  return Boolean(evalCase.conversationScenario);
}

/** Formats `, at the turn limit` for a case that ended there; otherwise empty. */
export function limitText(one: RunCase): string {
  const { length } = one.result.units;
  const limited = one.result.units.filter(({ ending }) => ending.by === 'turn-limit').length;
  if (limited === 0) return '';
  return length > 1 ? `, ${limited} of ${length} at the turn limit` : ', at the turn limit';
}

/** Formats the number of conversations that ended at the turn limit, or returns `null` if there are none. */
export function limitNote(counts: EndingCounts): string | null {
  const limited = counts['turn-limit'] ?? 0;
  if (limited === 0) return null;
  return `${counted(limited, 'conversation')} ended at the turn limit, before the user had finished.`;
}

/**
 * Describes how a conversation ended, as in `ended: by the user (it is booked)`. Returns `null` for the end of a fixed
 * conversation without a reason, and for an error, which has its own message.
 *
 * @param turns The number of turns, if known.
 */
export function endingText({ by, reason }: Ending, turns: number | null): string | null {
  const why = reason === undefined || reason === '' ? '' : ` (${reason})`;
  if (by === 'end-of-case' || by === 'error') return reason === undefined || reason === '' ? null : reason;
  if (by === 'user') return `ended: by the user${why}`;
  if (by === 'abort') return `ended: aborted${why}`;
  const after = turns === null ? '' : ` after ${counted(turns, 'turn')}`;
  return `ended: turn limit reached${after}${why}`;
}
