import { dirname } from 'node:path';
import type { EvalCase, Json } from '@agent-criteria/core';
import { counted } from '@agent-criteria/core/host';
import { writeEvalSet } from '@agent-criteria/formats/parse';
import { findCase } from '@agent-criteria/project/editing';
import { jsonText } from '@agent-criteria/project/files';
import { z } from 'zod';
import { pathInside } from '../project/path-inside.ts';
import { openSet } from '../sets/open-set.ts';
import { versionOf } from '../sets/version-of.ts';
import { harmlessJson } from '../text/fence.ts';
import { defineTool } from '../tool.ts';
import { from, setFile } from './inputs.ts';

export const showEvalCase = defineTool({
  name: 'show_eval_case',
  title: 'Show a case of an eval set',
  description:
    'Shows a case of an eval set as JSON, with its version, which edit_case needs. Without a case, lists the ids of the cases. For what an agent did in a run, use show_case.',
  input: z.object({
    set: setFile,
    case: z.string().optional().describe('The id of the case. Default: the ids of all cases are listed.'),
    from,
  }),
  changes: 'nothing',
  async call({ set, case: caseId }, { root, alsoMask, mask }) {
    const file = await pathInside(root, set);
    await alsoMask(dirname(file));
    const opened = await openSet(file);
    if (caseId === undefined) {
      return {
        says: `The eval set has ${counted(opened.value.evalCases.length, 'case')}. Their ids:`,
        data: opened.value.evalCases.map(({ evalId }) => `${harmlessJson(JSON.stringify(evalId))}\n`),
      };
    }
    const evalCase = findCase(opened, caseId);
    return {
      says: `The case has the version ${versionOf(evalCase)}.`,
      data: [harmlessJson(caseText(mask().json(evalCase)))],
    };
  },
});

/** Formats a case as in files: with snake-case keys and including fields that are not known. */
function caseText(evalCase: EvalCase): string {
  const { eval_cases: written } = writeEvalSet({ evalSetId: 'any', evalCases: [evalCase] }) as unknown as {
    readonly eval_cases: readonly Json[];
  };
  return jsonText(written[0] ?? null);
}
