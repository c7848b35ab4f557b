import { endedBadly, type UnitKey } from '@agent-criteria/core';
import { oneLine } from '@agent-criteria/report/terminal';
import type { RunEvent } from '@agent-criteria/runner';
import type { Io } from './io.ts';
import { count } from './print-problems.ts';

/** How far a run is, while it runs. */
export interface Progress {
  watch(event: RunEvent): void;
  /** How many inferences or cases ended by an error. */
  errors(): number;
  /** Nothing is told after this. */
  end(): void;
}

export interface ProgressOptions {
  /** How many are to be done. */
  readonly total: number;
  /** What is counted: cases that are judged, or inferences. */
  readonly counted: 'cases' | 'inferences';
  /** Tells nothing, but counts. */
  readonly quiet: boolean;
}

/** Ten times a second at most. */
const DRAW_EVERY = 100;
const TELL_EVERY = 10_000;

/**
 * On a terminal one line that is drawn anew: how many are done and failed, and what has run the longest. Elsewhere a line
 * every ten seconds. All of it on standard error.
 */
export function showProgress(io: Io, options: ProgressOptions): Progress {
  const { total, counted, quiet } = options;
  const running = new Map<string, { readonly key: UnitKey; readonly since: number; judged: boolean }>();
  let done = 0;
  const bad = { failed: 0, error: 0, 'not-evaluated': 0 };

  const text = (now: number): string => {
    const [oldest] = running.values();
    const parts = [
      `${done} of ${count(total, counted === 'cases' ? 'case' : 'inference')} done`,
      ...(bad.failed > 0 ? [`${bad.failed} failed`] : []),
      ...(bad.error > 0 ? [count(bad.error, 'error')] : []),
      ...(bad['not-evaluated'] > 0 ? [`${bad['not-evaluated']} not evaluated`] : []),
      ...(oldest === undefined
        ? []
        : [`${running.size} under way, the oldest ${ageOf(oldest, now)}${nameOf(oldest.key)}`]),
    ];
    return parts.join(', ');
  };

  const { live } = io;
  const tell =
    live === null
      ? () => io.err(`${text(Date.now())}\n`)
      : () => live.draw(oneLine(text(Date.now()), live.columns() - 1));
  const timer = quiet ? undefined : setInterval(tell, live === null ? TELL_EVERY : DRAW_EVERY);
  // The line alone keeps no process alive.
  timer?.unref();

  return {
    errors: () => bad.error,
    watch(event) {
      if (event.type === 'unit-started') {
        running.set(idOf(event.key), { key: event.key, since: event.at, judged: false });
      } else if (event.type === 'unit-inferred') {
        const badly = endedBadly(event.ending);
        const unit = running.get(idOf(event.key));
        if (counted === 'inferences') {
          if (event.ending.by !== 'abort') done += 1;
          if (event.ending.by === 'error') bad.error += 1;
        }
        if (badly || counted === 'inferences') running.delete(idOf(event.key));
        else if (unit !== undefined) unit.judged = true;
      } else if (event.type === 'unit-scored') {
        running.delete(idOf(event.key));
      } else if (event.type === 'case-known' || event.type === 'case-finished') {
        const verdict = event.type === 'case-known' ? event.verdict : event.result.verdict;
        if (counted === 'inferences') return;
        done += 1;
        if (verdict === 'failed' || verdict === 'error' || verdict === 'not-evaluated') bad[verdict] += 1;
      }
    },
    end() {
      clearInterval(timer);
      if (!quiet) live?.draw('');
    },
  };
}

function idOf({ setId, caseId, repeat }: UnitKey): string {
  return JSON.stringify([setId, caseId, repeat]);
}

function nameOf({ caseId, repeat }: UnitKey): string {
  return repeat === 0 ? caseId : `${caseId} (repeat ${repeat + 1})`;
}

/** Before the name, which may be cut. */
function ageOf({ since, judged }: { readonly since: number; readonly judged: boolean }, now: number): string {
  const seconds = Math.floor((now - since) / 1000);
  const age = seconds < 120 ? `for ${seconds} s` : `for ${Math.floor(seconds / 60)} min`;
  return `${age}${judged ? ', being judged' : ''}: `;
}
