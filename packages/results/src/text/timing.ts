import { formatTime } from './format-time.ts';
import { formatCost } from './usage.ts';

/** How far a run in flight is. */
export interface RunTiming {
  /** Units that are inferred and scored, including those of an earlier start. */
  readonly done: number;
  /** Units that were done when the run was last started. */
  readonly doneBefore: number;
  /** The total number of units, or the maximum if cases may stop early. */
  readonly total: number;
  /** Units in flight, or `null` if unknown. */
  readonly running: number | null;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Whether no more units start. Default: `false`. */
  readonly isCancelled?: boolean | undefined;
}

/** Describes the time so far and to go, and the cost so far where it is known. */
export function timing(progress: RunTiming, now: number, cost: number | null): readonly string[] {
  const { done, doneBefore, total, running, startedAt, isCancelled = false } = progress;
  const elapsed = Math.max(now - startedAt, 0);
  const left = total - done;
  const rate = (done - doneBefore) / elapsed;
  const isLast = running !== null && running >= left;
  return [
    `${roughly(elapsed)} so far`,
    // The last ones may take any time: the rate of the others says nothing about them.
    ...(isCancelled || left <= 0
      ? []
      : isLast
        ? [left === 1 ? 'the last one is running' : `the last ${left.toLocaleString('en')} are running`]
        : Number.isFinite(rate) && rate > 0
          ? [`about ${roughly(left / rate)} to go`]
          : []),
    ...(cost === null ? [] : [costText(cost, done / total)]),
  ];
}

function costText(cost: number, share: number): string {
  const all = cost > 0 && share > 0 && share < 1 ? `, about ${formatCost(cost / share)} in the end` : '';
  return `cost ${formatCost(cost)} so far${all}`;
}

/** Formats a duration in whole seconds, so that it does not flicker. */
function roughly(milliseconds: number): string {
  return formatTime(Math.max(Math.round(milliseconds / 1000), 1) * 1000);
}
