import { addCases } from '@agent-criteria/project/editing';
import { z } from 'zod';
import { pathInside } from '../project/path-inside.ts';
import { openSetToEdit } from '../sets/open-set.ts';
import { parseCase } from '../sets/parse-case.ts';
import { defineTool } from '../tool.ts';
import { evalCase, setFile } from './inputs.ts';

export const addCase = defineTool({
  name: 'add_case',
  title: 'Add a case to an eval set',
  description:
    'Adds a case to an existing eval set. Every mistake in the case is listed, and then nothing is written. A case with the same id is never changed.',
  input: z.object({ set: setFile, case: evalCase }),
  changes: 'adds',
  async call({ set, case: sent }, { root, edits }) {
    const file = await pathInside(root, set);
    const added = parseCase(sent);
    await edits.next(async () => addCases(await openSetToEdit(file), [added]));
    return { says: 'The case was added.', advice: 'Run it with start_run, with its id in "cases".' };
  },
});
