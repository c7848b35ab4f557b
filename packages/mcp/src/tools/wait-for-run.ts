import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { CriteriaError } from '@agent-criteria/core';
import { counted } from '@agent-criteria/core/host';
import type { ExecutedRun } from '@agent-criteria/project';
import type { SessionSpent } from '@agent-criteria/project/watch';
import { formatWarnings } from '@agent-criteria/report/console';
import { listRun } from '@agent-criteria/runner';
import { z } from 'zod';
import type { LiveRun } from '../runs/live-runs.ts';
import { namedRun } from '../runs/named-run.ts';
import { spentText, stateText } from '../runs/run-state.ts';
import type { Answer } from '../text/answer.ts';
import { defineTool } from '../tool.ts';

/** Milliseconds between two looks at a run of another process. */
const INTERVAL = 500;

export const waitForRun = defineTool({
  name: 'wait_for_run',
  title: 'Wait for a run',
  description:
    'Waits until a run has ended, for a limited time, and says how far it is. Call it again while the run is under way. Cancelling the call does not cancel the run.',
  input: z.object({
    run: z.string().min(1).max(200).describe('The id of the run.'),
    seconds: z.number().min(0).max(50).default(30).describe('The most seconds to wait. Default 30.'),
  }),
  changes: 'nothing',
  async call({ run: word, seconds }, { open, runs }, signal) {
    const own = runs.get(word);
    const folder = own === undefined ? await namedRun(word, await open()) : null;
    const limit = AbortSignal.any([signal, AbortSignal.timeout(seconds * 1000)]);
    if (own !== undefined) return ownAnswer(own, await endOf(own, limit, signal), runs.spent());
    while (folder !== null && listRun(folder)?.running === true && !limit.aborted) {
      await sleep(INTERVAL, undefined, { signal: limit }).catch(() => undefined);
    }
    signal.throwIfAborted();
    const listing = folder === null ? null : listRun(folder);
    if (listing === null) throw new CriteriaError({ code: 'RUN_NOT_FOUND', message: `the run "${word}" was deleted` });
    return { says: `The run ${listing.id}. ${stateText(listing)}` };
  },
});

/** Returns what came of a run, or `null` if it is still under way. @throws the error with which it failed as a whole. */
async function endOf({ done }: LiveRun, limit: AbortSignal, signal: AbortSignal): Promise<ExecutedRun | null> {
  const listening = new AbortController();
  const waited = once(limit, 'abort', { signal: listening.signal }).then(
    () => null,
    () => null,
  );
  try {
    return await Promise.race([done, limit.aborted ? null : waited]);
  } finally {
    listening.abort();
    signal.throwIfAborted();
  }
}

function ownAnswer({ id, counts }: LiveRun, ended: ExecutedRun | null, spent: SessionSpent): Answer {
  const { done, doneBefore, total } = counts();
  if (ended === null) {
    const says = `The run ${id} is under way: ${done + doneBefore} of ${counted(total, 'unit')} done.`;
    return { says, advice: 'Call wait_for_run again, or end the run with cancel_run.' };
  }
  const listing = listRun(ended.folder);
  const text = listing === null ? '' : stateText(listing);
  const warnings = formatWarnings(ended.atClosing, { width: Number.POSITIVE_INFINITY });
  return {
    says: `The run ${id}. ${text}\n${spentText(spent)}`,
    ...(warnings !== '' && { data: [warnings] }),
    advice: 'list_failures says which cases did not pass, and why.',
  };
}
