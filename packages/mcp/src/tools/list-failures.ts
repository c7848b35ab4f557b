import { consoleFailures, decidedText } from '@agent-criteria/report/console';
import { safe } from '@agent-criteria/report/terminal';
import { shownOutcome } from '@agent-criteria/results/text';
import { listRun, type OpenedRun, openRun } from '@agent-criteria/runner';
import { z } from 'zod';
import { maskedRun } from '../runs/masked-run.ts';
import { namedRun } from '../runs/named-run.ts';
import { stateText } from '../runs/run-state.ts';
import { defineTool } from '../tool.ts';
import { from, run } from './inputs.ts';

export const listFailures = defineTool({
  name: 'list_failures',
  title: 'List the failures of a run, with reasons',
  description:
    'Shows every case of a run that did not pass: which criteria failed, by how much and why, with what was expected and what happened. A case that could not be judged is not a pass.',
  input: z.object({ run, from }),
  changes: 'nothing',
  async call({ run: word }, { open, mask }) {
    const folder = await namedRun(word, await open());
    const listing = listRun(folder);
    const opened = maskedRun(openRun(folder), mask());
    return {
      says: `The run ${opened.info.id}. ${listing === null ? '' : stateText(listing)}`.trim(),
      data: piecesOf(opened),
      advice:
        'show_case shows a case in full. Repair the agent, or an expectation that is wrong; never lower a threshold to pass.',
    };
  },
});

async function* piecesOf(run: OpenedRun): AsyncGenerator<string> {
  const { problems, notes } = shownOutcome(run);
  const decided = decidedText(run);
  for (const text of [...(decided === null ? [] : [decided]), ...problems, ...notes]) yield `${safe(text)}\n\n`;
  let isEmpty = true;
  // Not wrapped: a secret that is broken over two lines could not be masked.
  for await (const piece of consoleFailures(run, {
    width: Number.POSITIVE_INFINITY,
    limit: Number.POSITIVE_INFINITY,
  })) {
    isEmpty = false;
    yield piece;
  }
  if (isEmpty) yield 'No case failed.\n';
}
