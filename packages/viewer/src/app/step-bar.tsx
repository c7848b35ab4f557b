import { isUntimed, type TraceStep } from '../trace-step.ts';
import { formatTime } from './format.ts';

interface Axis {
  /** In milliseconds since the epoch. */
  readonly start: number;
  /** In milliseconds, or `null` if unknown. */
  readonly length: number | null;
}

/** A step on the time axis. Without recorded times, only its order is drawn, within the step that it is part of. */
export function StepBar({ step, start, length }: Axis & { readonly step: TraceStep }) {
  const { kind, startedAt, endedAt, error, untimed } = step;
  const share = (time: number) => Math.min(Math.max((time - start) / Math.max(length ?? 0, 1), 0), 1) * 100;
  const from = share(startedAt);
  const to = endedAt === undefined ? 100 : share(endedAt);
  const failed = error === undefined ? '' : ' failed';
  if (untimed !== undefined) {
    const { place, of } = untimed;
    const [left, right] = length === null ? [0, 100] : [from, to];
    return (
      <span class="track" aria-hidden="true">
        <span class="within" style={{ left: `${left}%`, right: `${100 - right}%` }} />
        <span
          class={`untimed of-${kind}${failed}`}
          style={{ left: `${left + ((right - left) * place) / (of + 1)}%` }}
        />
      </span>
    );
  }
  return (
    <span class="track" aria-hidden="true">
      <span
        class={`bar ${kind}${failed}${endedAt === undefined ? ' open' : ''}`}
        style={{ left: `${from}%`, right: `${100 - to}%` }}
      />
    </span>
  );
}

/** The words for a step's time. */
export function StepTime({ step, start }: Pick<Axis, 'start'> & { readonly step: TraceStep }) {
  const { startedAt, endedAt } = step;
  if (isUntimed(step)) {
    return (
      <span class="no-time" title="The agent reports that this step took place, and in which order, but not when.">
        no time recorded
      </span>
    );
  }
  return (
    <span>
      <span class="unseen">after {formatTime(startedAt - start)}, </span>
      {endedAt === undefined ? 'did not end' : formatTime(endedAt - startedAt)}
    </span>
  );
}
