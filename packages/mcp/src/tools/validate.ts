import { counted } from '@agent-criteria/core/host';
import { validateFiles } from '@agent-criteria/project/doctor';
import { foldProblems, problemText } from '@agent-criteria/report/console';
import { safe } from '@agent-criteria/report/terminal';
import { shownPath } from '@agent-criteria/runner';
import { z } from 'zod';
import { isInside, nameInside, pathInside } from '../project/path-inside.ts';
import { defineTool } from '../tool.ts';
import { from } from './inputs.ts';

export const validate = defineTool({
  name: 'validate',
  title: 'Check eval sets and configs',
  description:
    'Checks eval sets, configs and other eval files, and lists every mistake in each, as a run would. Runs no agent and asks no model.',
  input: z.object({
    paths: z
      .array(z.string())
      .min(1)
      .max(100)
      .default(['.'])
      .describe('Files and folders, relative to the project. Default: the whole project.'),
    from,
  }),
  changes: 'nothing',
  async call({ paths }, { root, projectOptions }) {
    const found = await Promise.all(paths.map(async (path) => shownPath(await pathInside(root, path))));
    const validation = await validateFiles({ ...projectOptions, applyEnvironment: false, paths: found });
    const files = [];
    // A folder may have links that lead elsewhere.
    for (const file of validation.files) if (await isInside(root, file.file)) files.push(file);
    const mistakes = files.reduce((sum, { problems }) => sum + problems.length, validation.missing.length);
    const lines = files.map(({ file, kind, problems, content }) => {
      const what = content?.cases === undefined ? '' : `, ${counted(content.cases, 'case')}`;
      const mark = problems.length === 0 ? 'ok' : counted(problems.length, 'mistake');
      return `${safe(nameInside(root, file))}: ${kind ?? 'unknown'}${what}: ${mark}\n`;
    });
    const named = (problem: Parameters<typeof problemText>[0]) =>
      problemText({ ...problem, file: problem.file && nameInside(root, problem.file) });
    const problems = files.flatMap((file) => file.problems).map((problem) => `${named(problem)}\n`);
    const warnings = foldProblems(files.flatMap((file) => file.warnings)).map((one) => `warning: ${named(one)}\n`);
    return {
      says: `${counted(files.length, 'file')} checked: ${mistakes === 0 ? 'no mistakes' : counted(mistakes, 'mistake')}.`,
      data: [...problems, ...lines, ...warnings],
    };
  },
});
