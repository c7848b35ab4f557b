import { prepareRun } from '@agent-criteria/project';
import { settingsOfFlags } from '@agent-criteria/project/config';
import { compareRecordedScores } from '@agent-criteria/project/runs';
import { usage } from './arguments.ts';
import type { Given } from './command-flags.ts';
import { dryRun } from './dry-run.ts';
import { type ExecuteOptions, executeAndReport } from './execute-and-report.ts';
import { askedGates, caseFilter } from './flag-values.ts';
import type { Io } from './io.ts';
import { printPrepared } from './prepare.ts';
import { projectOptions } from './project.ts';
import { reportFiles } from './report-file.ts';

/** Judges a recorded run by the current references, rubrics and criteria or, with `--from`, an ADK result file. */
export async function scoreCommand({ flags, positionals, form }: Given<'score'>, io: Io): Promise<number> {
  const { from } = flags;
  if (from !== undefined && positionals.length > 0) {
    throw usage(`--from names what is judged, so leave out ${positionals[0]}, or judge that run with ${form}`);
  }
  const reports = reportFiles(flags.output ?? []);
  const gates = askedGates(flags);
  const prepared = await prepareRun({
    ...projectOptions(settingsOfFlags(flags), io),
    cases: flags.case,
    filter: caseFilter(flags),
    config: flags.config_file_path,
    estimateOnly: flags.dry_run === true,
    source: from === undefined ? { kind: 'rescore', run: positionals[0] } : { kind: 'recorded', file: from },
  });
  printPrepared(prepared, io);
  const json = flags.json === true;
  if (flags.dry_run === true) return dryRun(prepared, json, io);
  const telling = { json, detailed: flags.print_detailed_results === true, reports, gates };
  const { source } = prepared;
  if (source.kind !== 'recorded') return executeAndReport(prepared, telling, io);
  const compare: ExecuteOptions['compare'] = async (run) => {
    const { finished, total } = run.info.units;
    return finished < total ? null : await compareRecordedScores(prepared, source.recorded, run);
  };
  return executeAndReport(prepared, { ...telling, compare }, io);
}
