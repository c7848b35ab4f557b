import { formatCost } from '@agent-criteria/results/text';
import type { RunProgress } from '../page-data.ts';
import { formatTime } from './format.ts';

/** Describes the time so far and to go, and the cost so far where it is known. */
export function timing(progress: RunProgress, now: number, cost: number | null): readonly string[] {
  const { done, doneBefore, total, running, startedAt, cancelled } = progress;
  const elapsed = Math.max(now - startedAt, 0);
  const left = total - done;
  const rate = (done - doneBefore) / elapsed;
  const isLast = running !== null && running >= left;
  return [
    `${roughly(elapsed)} so far`,
    // The last ones may take any time: the rate of the others says nothing about them.
    ...(cancelled !== undefined || left <= 0
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
