import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { settingsOfFlags } from '@agent-criteria/project/config';
import { loadInstruments, type RecordedAgent, recordedAgents, statisticsFacts } from '@agent-criteria/project/runs';
import {
  type Format,
  onlyFailed,
  type Reporter,
  reporters,
  saveEvalHistory,
  writeReport,
} from '@agent-criteria/report';
import { safe, safeJson } from '@agent-criteria/report/terminal';
import type { RunRecord } from '@agent-criteria/results';
import { isUrl, type OpenedRun } from '@agent-criteria/runner';
import { usage } from './arguments.ts';
import type { Given } from './command-flags.ts';
import { oneOf, wholeNumber } from './flag-values.ts';
import type { Io } from './io.ts';
import { openNamedRun } from './named-run.ts';
import { openTarget } from './open-file.ts';
import { openProject } from './project.ts';
import { formats, formatsByExtension, reportFile } from './report-file.ts';
import { type EvalHistory, showCommand } from './report-run.ts';

/** Writes a report of a run, finished or not, in any format. Runs nothing. */
export async function reportCommand({ flags, positionals }: Given<'report'>, io: Io): Promise<number> {
  const asked = oneOf('format', flags.format, formats, formatsByExtension);
  const format = asked ?? formatOf(flags);
  checkChoice(format, flags);
  const project = await openProject(undefined, settingsOfFlags(flags), io);
  const scoring = wholeNumber('scoring', flags.scoring);
  const { run, record: whole, opened: folder } = await openNamedRun(positionals[0], scoring, project);
  const facts = folder === null ? undefined : statisticsFacts(folder, await loadInstruments(project));
  const opened = flags.only_failed === true ? onlyFailed(whole) : whole;
  const output = flags.output ?? (flags.open === true ? await ownFile(run) : undefined);
  const options = {
    color: io.color && output === undefined,
    ...(output === undefined ? { width: io.width.out, printed: true } : {}),
    detailed: flags.print_detailed_results === true,
    command: (_set: string, caseId: string, variant?: string) => showCommand(run, caseId, variant),
    setId: flags.eval_set,
    variant: flags.variant,
    facts,
  };
  const history = flags.eval_history === true ? histories(folder, whole) : null;
  // With --eval-history alone, nothing is printed.
  if (output === undefined && (history === null || asked !== undefined)) {
    const reporter: Reporter = reporters[format];
    const isJson = format === 'json' || format === 'adk';
    for await (const piece of reporter.write(opened, options)) {
      if (format === 'console') io.out(piece);
      else io.raw(isJson ? safeJson(piece) : piece);
    }
  }
  const written = output === undefined ? [] : await writeReport(opened, format, output, options);
  const saved: string[] = [];
  for (const { agent, variant } of history ?? []) saved.push(...(await saveEvalHistory(whole, agent, { variant })));
  for (const file of [...written, ...saved]) {
    const message = `Written: ${safe(file)}\n`;
    // The report may be going to standard output.
    if (output === undefined && asked !== undefined) io.err(message);
    else io.out(message);
  }
  if (flags.open === true && output !== undefined) {
    const why = await openTarget(resolve(output), io);
    if (why !== null) io.out(`Not opened, because ${why}: open the file in a browser.\n`);
  }
  return 0;
}

type Choice = Pick<Given<'report'>['flags'], 'output' | 'open' | 'only_failed'>;

function formatOf({ output, open }: Choice): Format {
  if (output !== undefined) return reportFile(output).format;
  return open === true ? 'html' : 'console';
}

/** Rejects flags that do not apply to the format. @throws CriteriaError USAGE. */
function checkChoice(format: Format, { open, only_failed: onlyFailed }: Choice): void {
  if (open === true && format !== 'html') {
    throw usage(`--open opens the page, and this report is ${format}: leave out --open, or write html`);
  }
  if (onlyFailed === true && (format === 'adk' || format === 'junit')) {
    throw usage(
      `--only-failed is for reports that people read, and ${format} is read by programs, which would count only failures: leave it out, or choose console, html, markdown, json or csv`,
    );
  }
}

/** Returns a temporary file for a page that is opened but not kept. */
async function ownFile(folder: string): Promise<string> {
  return join(await mkdtemp(join(tmpdir(), 'agent-criteria-')), `${basename(folder)}.html`);
}

/**
 * Returns the agents whose folders get ADK's result files. @throws CriteriaError USAGE for an agent without a folder.
 */
function histories(opened: OpenedRun | null, { info }: RunRecord): readonly EvalHistory[] {
  // An ADK result file does not say where its agent is.
  const agents: readonly Pick<RecordedAgent, 'name' | 'path' | 'variant'>[] =
    opened === null ? [{ name: info.agent, path: null }] : recordedAgents(opened.plan);
  return agents.map(({ path, name, variant }) => {
    if (path !== null && !isUrl(path)) return { agent: path, variant };
    throw usage(`--eval-history needs an agent with a folder, but the agent of this run (${variant ?? name}) has none`);
  });
}
