import { dirname } from 'node:path';
import { CriteriaError } from '@agent-criteria/core';
import { findCase, replaceCase } from '@agent-criteria/project/editing';
import { z } from 'zod';
import { pathInside } from '../project/path-inside.ts';
import { openSetToEdit } from '../sets/open-set.ts';
import { parseCase } from '../sets/parse-case.ts';
import { versionOf } from '../sets/version-of.ts';
import { defineTool } from '../tool.ts';
import { evalCase, setFile } from './inputs.ts';

export const editCase = defineTool({
  name: 'edit_case',
  title: 'Replace a case of an eval set',
  description:
    'Replaces a case of an eval set by the whole case that is sent. An expectation is changed because it is wrong, never because the agent fails it. If the case is not the version that was shown any more, nothing is written.',
  input: z.object({
    set: setFile,
    case_id: z.string().describe('The id of the case to replace.'),
    version: z.string().describe('The version that show_eval_case showed.'),
    case: evalCase,
  }),
  changes: 'replaces',
  async call({ set, case_id: caseId, version, case: sent }, { root, edits, mask, alsoMask }) {
    const file = await pathInside(root, set);
    await alsoMask(dirname(file));
    const after = parseCase(sent);
    await edits.next(async () => {
      const opened = await openSetToEdit(file);
      const before = findCase(opened, caseId);
      if (mask().json(before) !== before) {
        const message =
          'the case has a secret, which was masked when it was shown and would be lost: edit the file itself';
        throw new CriteriaError({ code: 'USAGE', message });
      }
      if (versionOf(before) !== version) {
        const message =
          'the case has changed since it was shown, so nothing was saved: show it again with show_eval_case';
        throw new CriteriaError({ code: 'WRITE_FAILED', message });
      }
      return replaceCase(opened, caseId, after);
    });
    return { says: `The case was replaced. It has the version ${versionOf(after)}.` };
  },
});
