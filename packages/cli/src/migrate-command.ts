import type { EvalSet } from '@agent-criteria/core';
import { counted } from '@agent-criteria/core/host';
import { type MigratedConfig, type MigratedFile, planMigration, writeMigration } from '@agent-criteria/project/editing';
import { safe } from '@agent-criteria/report/terminal';
import { usage } from './arguments.ts';
import type { Given } from './command-flags.ts';
import type { Io } from './io.ts';
import { printJson, printWarnings } from './print.ts';
import { projectOptions } from './project.ts';

const FORM = 'agent-criteria migrate OLD NEW, or FILE for an eval set with turns in short';
const FORMATS: Readonly<Record<MigratedFile['format'], string>> = {
  'old-test': 'a legacy test file',
  'old-evalset': 'a legacy eval set',
  'agents-cli': 'an agents-cli dataset',
  'short-turns': 'an eval set with turns in short',
};

/** Converts legacy eval data to eval sets and configs. */
export async function migrateCommand({ flags, positionals }: Given<'migrate'>, io: Io): Promise<number> {
  const [from, to] = positionals;
  if (from === undefined) throw usage(`name the old file and the new one: ${FORM}`);
  const { initial_session_file: initialSessionFile, force: overwrite } = flags;
  const plan = await planMigration({ from, to, initialSessionFile, overwrite, project: projectOptions({}, io) });
  await writeMigration(plan);
  const { files, configs, left } = plan;
  printWarnings(
    [...files, ...configs].flatMap((one) => one.warnings),
    io,
  );
  if (flags.json === true) printJson({ migrated: [...files.map(asJson), ...configs.map(configAsJson)], left }, io);
  else {
    io.out(files.map(fileText).join('') + configs.map(configText).join(''));
    for (const file of left) io.out(`${safe(file)}: already an eval set, not changed\n`);
  }
  return 0;
}

function fileText({ from, to, format, evalSet, same }: MigratedFile): string {
  if (from === to) return `${safe(to)}: ${size(evalSet)}, now in ADK's form\n`;
  const what = `${size(evalSet)} from ${safe(from)}, ${FORMATS[format]}`;
  return `${safe(to)}: ${what}${same ? ' (already existed)' : ''}\n`;
}

function asJson({ from, to, format, evalSet, warnings, same }: MigratedFile) {
  const problems = warnings.map((warning) => ({ ...warning }));
  return { from, to, format, cases: evalSet.evalCases.length, written: !same, warnings: problems };
}

function configText({ from, to, config, same }: MigratedConfig): string {
  const what = `${counted(Object.keys(config.criteria).length, 'criterion', 'criteria')} from ${safe(from)}, a config of agents-cli`;
  return `${safe(to)}: ${what}${same ? ' (already existed)' : ''}\n`;
}

function configAsJson({ from, to, format, config, warnings, same }: MigratedConfig) {
  const problems = warnings.map((warning) => ({ ...warning }));
  return { from, to, format, criteria: Object.keys(config.criteria), written: !same, warnings: problems };
}

function size({ evalCases }: EvalSet): string {
  const turns = evalCases.reduce((sum, { conversation }) => sum + (conversation?.length ?? 0), 0);
  return `${counted(evalCases.length, 'case')}, ${counted(turns, 'turn')}`;
}
