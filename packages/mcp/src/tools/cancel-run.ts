import { CriteriaError } from '@agent-criteria/core';
import { z } from 'zod';
import { defineTool } from '../tool.ts';

export const cancelRun = defineTool({
  name: 'cancel_run',
  title: 'Cancel a run',
  description:
    'Cancels a run that start_run started: conversations that have begun come to an end, and no others begin. What was recorded stays, and the run can be resumed.',
  input: z.object({ run: z.string().min(1).max(200).describe('The id of the run.') }),
  changes: 'runs',
  async call({ run: id }, { runs }) {
    const current = runs.current();
    if (current?.id !== id) {
      const message =
        current === null
          ? 'no run of this session is under way'
          : `the run of this session that is under way is ${current.id}`;
      throw new CriteriaError({ code: 'USAGE', message });
    }
    current.cancel();
    return { says: `The run ${id} ends.`, advice: 'Wait for its end with wait_for_run.' };
  },
});
