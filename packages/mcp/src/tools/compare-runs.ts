import { compareRuns as compare } from '@agent-criteria/analysis';
import { CriteriaError } from '@agent-criteria/core';
import { lastTwoRuns, openOutcomes } from '@agent-criteria/project/runs';
import { consoleComparison } from '@agent-criteria/report/console';
import { z } from 'zod';
import { namedRun } from '../runs/named-run.ts';
import { defineTool } from '../tool.ts';
import { from } from './inputs.ts';

const word = z.string().min(1).max(300).optional();

export const compareRuns = defineTool({
  name: 'compare_runs',
  title: 'Compare two runs',
  description:
    'Compares two finished runs of the same cases: which verdicts and scores changed, and whether that is more than chance. Without arguments, the last two runs of all cases.',
  input: z.object({
    base: word.describe('The earlier run; RUN#NAME is one of its variants. Default: the one before "new".'),
    new: word.describe('The later run. Default: the last one.'),
    from,
  }),
  changes: 'nothing',
  async call({ base, new: later }, { open }) {
    const project = await open();
    const opened = async (named: string) => {
      const at = named.lastIndexOf('#');
      const folder = await namedRun(at === -1 ? named : named.slice(0, at), project);
      return openOutcomes(at === -1 ? folder : `${folder}${named.slice(at)}`, project);
    };
    const isAlone = base === undefined && later === undefined;
    const last = isAlone ? lastTwoRuns(project.runsFolder) : null;
    const before = last === null ? await opened(base ?? 'last~1') : await openOutcomes(last.base.folder, project);
    const after = last === null ? await opened(later ?? 'last') : await openOutcomes(last.candidate.folder, project);
    if (before.name === after.name) {
      const message = 'a run cannot be compared with itself: name another one (list_runs lists them)';
      throw new CriteriaError({ code: 'USAGE', message });
    }
    const comparison = compare(before.outcomes, after.outcomes);
    const names = { base: before.name, candidate: after.name };
    return {
      says: `Outcome: ${comparison.outcome}.`,
      data: [consoleComparison(comparison, names, { width: Number.POSITIVE_INFINITY })],
    };
  },
});
