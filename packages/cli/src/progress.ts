import type { UnitKey } from '@agent-criteria/core';
import { counted, endedInError } from '@agent-criteria/core/host';
import type { CallEvent } from '@agent-criteria/models';
import { oneLine, safe } from '@agent-criteria/report/terminal';
import { timing } from '@agent-criteria/results/text';
import { countUnits, type RunEvent } from '@agent-criteria/runner';
import type { Io } from './io.ts';

export interface Progress {
  watch(event: RunEvent): void;
  watchCalls(event: CallEvent): void;
  end(): void;
}

export interface ProgressOptions {
  /** The number of cases or inferences. */
  readonly total: number;
  /** The unit of `total`: judged cases, or inferences. */
  readonly counted: 'cases' | 'inferences';
  readonly quiet: boolean;
  /** Whether the run is stopping, so that no more units start. */
  isStopped(): boolean;
}

/** Redraw interval in milliseconds. */
const DRAW_EVERY = 100;
const PRINT_EVERY = 10_000;

/** Width of the bar in columns. */
const BAR = 12;

/**
 * Shows how many cases are done and failed, how many conversations are running and waiting, the time and cost so far
 * and to go, and the case that has been running longest: on a terminal, in one line that is redrawn; elsewhere, in a
 * new line every ten seconds. Everything goes to standard error.
 */
export function showProgress(io: Io, options: ProgressOptions): Progress {
  const { total, counted: kind, quiet, isStopped } = options;
  if (quiet) return { watch: () => undefined, watchCalls: () => undefined, end: () => undefined };
  const running = new Map<string, { readonly key: UnitKey; readonly since: number; judged: boolean }>();
  let done = 0;
  const units = countUnits({ judged: kind === 'cases' });
  /** The known cost of calls, or `null` if no call had a price. */
  let cost: number | null = null;
  const bad = { failed: 0, error: 0, 'not-evaluated': 0 };
  /** Reasons for delays, by model. */
  const held = new Map<string, Held>();
  let spent = false;

  const text = (now: number): string => {
    const [oldest] = running.values();
    const counts = [
      `${done} of ${counted(total, kind === 'cases' ? 'case' : 'inference')} done`,
      ...(bad.failed > 0 ? [`${bad.failed} failed`] : []),
      ...(bad.error > 0 ? [counted(bad.error, 'error')] : []),
      ...(bad['not-evaluated'] > 0 ? [`${bad['not-evaluated']} not evaluated`] : []),
      ...(spent ? ['the budget is spent'] : []),
    ];
    const models = [...held].flatMap(([target, one]) => heldText(target, one, now));
    const all = units.counts();
    const waiting = all.total - all.done - all.running;
    const states = [
      ...(all.running > 0 ? [`${all.running} running`] : []),
      ...(waiting > 0 ? [`${waiting.toLocaleString('en')} waiting`] : []),
    ].join(', ');
    const times = all.total === 0 ? [] : [timing({ ...all, isCancelled: isStopped() }, now, cost).join(', ')];
    const longest = oldest === undefined ? [] : [`the oldest ${ageOf(oldest, now)}${nameOf(oldest.key)}`];
    return [counts.join(', '), states, ...times, ...models, ...longest].filter((part) => part !== '').join('; ');
  };
  const bar = (): string => {
    const { done: unitsDone, total: unitsTotal } = units.counts();
    const filled = unitsTotal === 0 ? 0 : Math.floor((unitsDone / unitsTotal) * BAR);
    return `${'█'.repeat(filled)}${'░'.repeat(BAR - filled)} `;
  };

  const { live } = io;
  const print =
    live === null
      ? () => io.err(`${safe(text(Date.now()))}\n`)
      : () => live.draw(oneLine(`${bar()}${text(Date.now())}`, live.columns() - 1));
  let timer: NodeJS.Timeout | undefined;
  // Not before the first event: to load an agent may take long, and the run's first lines come after it.
  const begin = (): void => {
    if (timer !== undefined) return;
    timer = setInterval(print, live === null ? PRINT_EVERY : DRAW_EVERY);
    // The timer alone must not keep the process alive.
    timer.unref();
  };

  return {
    watch(event) {
      begin();
      units.note(event);
      const paid =
        event.type === 'call-finished' ? event.call.cost : event.type === 'unit-inferred' ? event.cost : undefined;
      if (paid !== undefined) cost = (cost ?? 0) + paid;
      if (event.type === 'unit-started') {
        running.set(idOf(event.key), { key: event.key, since: event.at, judged: false });
      } else if (event.type === 'unit-inferred') {
        const badly = endedInError(event.ending);
        const unit = running.get(idOf(event.key));
        if (kind === 'inferences') {
          if (event.ending.by !== 'abort') done += 1;
          if (event.ending.by === 'error') bad.error += 1;
        }
        if (badly || kind === 'inferences') running.delete(idOf(event.key));
        else if (unit !== undefined) unit.judged = true;
      } else if (event.type === 'unit-scored') {
        running.delete(idOf(event.key));
      } else if (event.type === 'case-known' || event.type === 'case-finished') {
        const verdict = event.type === 'case-known' ? event.verdict : event.result.verdict;
        if (kind === 'inferences') return;
        done += 1;
        if (verdict === 'failed' || verdict === 'error' || verdict === 'not-evaluated') bad[verdict] += 1;
      }
    },
    watchCalls(event) {
      begin();
      if (event.type === 'budget-spent') {
        spent = true;
        return;
      }
      const { target } = event;
      const before = held.get(target) ?? { until: 0, why: '', atOnce: null };
      if (event.type === 'throttled' || event.type === 'recovered') {
        held.set(target, { ...before, atOnce: event.concurrency < event.of ? event.concurrency : null });
      } else {
        const until = Date.now() + event.wait;
        const cause = event.type === 'retrying' ? event.kind : event.type === 'waiting' ? event.for : event.type;
        const why = WHY[cause] ?? 'failed';
        if (until >= before.until) held.set(target, { ...before, until, why });
      }
    },
    end() {
      clearInterval(timer);
      live?.draw('');
    },
  };
}

function idOf({ setId, caseId, repeat, variant }: UnitKey): string {
  return JSON.stringify([setId, caseId, repeat, variant]);
}

function nameOf({ caseId, repeat, variant }: UnitKey): string {
  const which = [variant ?? [], repeat === 0 ? [] : `repeat ${repeat + 1}`].flat();
  return which.length === 0 ? caseId : `${caseId} (${which.join(', ')})`;
}

/** Formats the age of a unit. It comes before the name, which may be truncated. */
function ageOf({ since, judged }: { readonly since: number; readonly judged: boolean }, now: number): string {
  const seconds = Math.floor((now - since) / 1000);
  const age = seconds < 120 ? `for ${seconds} s` : `for ${Math.floor(seconds / 60)} min`;
  return `${age}${judged ? ', being judged' : ''}: `;
}

interface Held {
  /** In milliseconds since the epoch. */
  readonly until: number;
  readonly why: string;
  /** The reduced number of concurrent calls, or `null` if it is not reduced. */
  readonly atOnce: number | null;
}

const WHY: Readonly<Record<string, string | undefined>> = {
  'rate-limit': 'has reached its rate limit',
  overload: 'is overloaded',
  server: 'answered with a server error',
  network: 'could not be reached',
  down: 'is down',
  timeout: 'did not answer in time',
  unreadable: 'gave an unreadable answer',
  service: 'asks to wait',
  'requests-per-minute': 'has reached its request limit for this minute',
  'tokens-per-minute': 'has reached its token limit for this minute',
};

function heldText(target: string, { until, why, atOnce }: Held, now: number): string[] {
  const slower = atOnce === null ? '' : `at most ${counted(atOnce, 'call')} at once`;
  if (until > now) return [`waiting for ${target}, which ${why}${slower === '' ? '' : ` (now ${slower})`}`];
  return slower === '' ? [] : [`${target} gets ${slower} for now`];
}
