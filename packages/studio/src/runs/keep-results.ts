import { lstat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { writeAdkResults } from '@agent-criteria/report';
import { openRun } from '@agent-criteria/runner';
import type { App } from '../apps/app.ts';
import { refusal } from '../http/refusal.ts';
import { evalSession } from '../results/eval-sessions.ts';
import { historyFolder } from '../results/result-files.ts';
import { isInside } from '../security/inside-folder.ts';
import type { Studio } from '../studio.ts';

/** Writes the results of a run to ADK's folder, and keeps its conversations as sessions. @returns the files written. */
export async function keepResults({ sessions }: Studio, app: App, folder: string): Promise<readonly string[]> {
  const run = openRun(folder);
  for await (const { evalCase, inferences } of run.cases()) {
    for (const { inference } of inferences) {
      const { sessionId: id, invocations, trace = [], state } = inference;
      // The same user as in the results.
      const owner = { appName: app.name, userId: evalCase.sessionInput?.userId ?? 'test_user_id' };
      const final = state.final ?? {};
      sessions.keepHidden(evalSession(owner, { id, invocations, trace, state: final, agentName: app.name }));
    }
  }
  const history = historyFolder(app);
  // A link may lead anywhere.
  for (const part of [dirname(history), history]) {
    const isThere = (await lstat(part).catch(() => null)) !== null;
    if (isThere && !(await isInside(app.folder, part))) {
      throw refusal(
        400,
        `The run is saved, but its results are not written to ${part}: it is a link that leads out of the folder.`,
      );
    }
  }
  return writeAdkResults(run, history, { appName: app.name });
}
