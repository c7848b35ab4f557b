import type { Problem } from '@agent-criteria/core';
import { counted } from '@agent-criteria/core/host';
import { type CheckedFile, type FileContent, type Validation, validateFiles } from '@agent-criteria/project/doctor';
import { foldProblems, problemText } from '@agent-criteria/report/console';
import { safe } from '@agent-criteria/report/terminal';
import { usage } from './arguments.ts';
import type { Given } from './command-flags.ts';
import { type Io, painter } from './io.ts';
import { printJson, printWarnings } from './print.ts';
import { projectOptions } from './project.ts';

/** Reports every mistake in every file. */
export async function validateCommand({ flags, positionals }: Given<'validate'>, io: Io): Promise<number> {
  if (positionals.length === 0) throw usage('name files or folders: agent-criteria validate FILE|FOLDER...');
  const config = flags.config_file_path;
  const validation = await validateFiles({ ...projectOptions({}, io), paths: positionals, config });
  const { files, skipped, problems, missing } = validation;
  // Problems outside the files are reported once per config.
  const warnings = foldProblems(validation.warnings);
  if (flags.json === true)
    printJson({ files: files.map(asJson), skipped: skipped.map((one) => ({ ...one })), problems: plain(missing) }, io);
  else {
    printWarnings(warnings, io);
    for (const problem of problems) io.err(`${problemText(problem)}\n`);
    const others = skipped.map(({ file, reason }) => `--  ${safe(file)}: skipped, ${safe(reason)}\n`);
    io.out(`${files.map((one) => line(one, io)).join('')}${others.join('')}${total({ ...validation, warnings })}\n`);
  }
  return problems.length > 0 ? 2 : 0;
}

function asJson({ file, kind, problems, warnings }: CheckedFile) {
  return { file, kind, problems: plain(problems), warnings: plain(warnings) };
}

function plain(problems: readonly Problem[]) {
  return problems.map((problem) => ({ ...problem }));
}

function line({ file, kind, problems, content }: CheckedFile, io: Io): string {
  const { green, red } = painter(io);
  const mark = problems.length === 0 ? green('ok') : red('no');
  const what = [kind ?? 'unknown', contentText(content)].filter((part) => part !== '').join(', ');
  return `${mark}  ${safe(file)}: ${safe(what)}\n`;
}

function contentText({ cases, criteria, scenarios, app }: FileContent = {}): string {
  const names = criteria?.join(', ') ?? '';
  if (cases !== undefined) return `${counted(cases, 'case')}${criteria === undefined ? '' : `, judged by ${names}`}`;
  if (scenarios !== undefined) return counted(scenarios, 'scenario');
  return app === undefined ? names : `for ${app}`;
}

function total({ files, skipped, problems, warnings }: Validation): string {
  const odd = warnings.length === 0 ? '' : `, ${counted(warnings.length, 'warning')}`;
  return `${counted(files.length, 'file')}: ${problems.length === 0 ? 'no mistakes' : counted(problems.length, 'mistake')}${odd}${skipped.length === 0 ? '' : `, ${skipped.length} skipped`}`;
}
