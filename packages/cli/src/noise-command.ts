import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type JudgeNoise, judgedAgainOf, judgedOf, judgeNoise, noiseFile } from '@agent-criteria/analysis';
import { counted } from '@agent-criteria/core/host';
import { executeRun, prepareRun } from '@agent-criteria/project';
import { settingsOfFlags } from '@agent-criteria/project/config';
import { estimateCalls } from '@agent-criteria/project/plan';
import { usedBy } from '@agent-criteria/project/runs';
import { markdownNoise } from '@agent-criteria/report';
import { consoleNoise, problemText } from '@agent-criteria/report/console';
import { openRun } from '@agent-criteria/runner';
import { usage } from './arguments.ts';
import type { Given } from './command-flags.ts';
import { dryRun, spanText } from './dry-run.ts';
import { wholeNumber } from './flag-values.ts';
import type { Io } from './io.ts';
import { maskOf } from './masked.ts';
import { measurementFiles } from './measurement-files.ts';
import { printPrepared } from './prepare.ts';
import { printJson, printWarnings } from './print.ts';
import { showProgress } from './progress.ts';
import { projectOptions } from './project.ts';

/** Judges the answers of a run several times, to measure how much of the spread is due to the judge. */
export async function noiseCommand({ flags, positionals, form }: Given<'noise'>, io: Io): Promise<number> {
  const { repeats, output, ...others } = flags;
  const times = wholeNumber('repeats', repeats);
  if (times === undefined) throw usage(`say how many times to judge the answers: ${form}, such as --repeats 5`);
  const json = flags.json === true;
  const outputs = measurementFiles(output ?? []);
  const prepared = await prepareRun({
    ...projectOptions(settingsOfFlags(others), io),
    config: flags.config_file_path,
    estimateOnly: flags.dry_run === true,
    source: { kind: 'noise', run: positionals[0], times },
  });
  const { source } = prepared;
  const { run, conversations } = source.kind === 'noise' ? source : { run: '', conversations: 0 };
  printPrepared(prepared, io);
  if (flags.dry_run === true) return dryRun(prepared, json, io);
  const { calls } = (await estimateCalls(prepared)).total;
  const many = calls === null ? 'an unknown number of' : spanText(calls);
  io.err(`Judging ${counted(conversations, 'conversation')} ${times} times each, without the cache: ${many} calls.\n`);

  const drain = io.drain();
  const folder = await mkdtemp(join(tmpdir(), 'agent-criteria-'));
  const cases = prepared.sets.reduce((sum, { plan }) => sum + plan.evalSet.evalCases.length, 0);
  const isStopped = () => io.signal.aborted || drain.aborted;
  const progress = showProgress(io, { total: cases, counted: 'cases', quiet: json, isStopped });
  try {
    const { outcome, atClosing, closingError } = await executeRun(prepared, {
      folder,
      signal: io.signal,
      drain,
      onEvent: progress.watch,
      onCall: progress.watchCalls,
      onDead: (problem) => printWarnings([problem], io),
    }).finally(() => progress.end());
    printWarnings([...outcome.warnings, ...atClosing], io);
    io.err(
      maskOf(io)
        .json(outcome.problems)
        .map((problem) => `${problemText(problem)}\n`)
        .join(''),
    );
    const noises = await measured(folder, times);
    if (json) printJson(noises, io);
    else io.out(consoleNoise(noises, run, { color: io.color, width: io.width.out }));
    if (isStopped()) return 130;
    const missing = noises.every(({ verdicts, judgeSd }) => verdicts === 0 && typeof judgeSd !== 'number');
    if (!outcome.finished || missing || closingError !== undefined) {
      const why = missing
        ? 'nothing was judged twice'
        : 'not everything was judged, so these numbers are about a part of the run';
      io.err(`Exit code 3: ${why}.\n`);
      return 3;
    }
    await outputs.write({
      json: () => noiseFile(noises, run, new Date()),
      markdown: () => markdownNoise(noises, run),
    });
    if (!json) io.out(outputs.text);
    return 0;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function measured(folder: string, times: number): Promise<readonly JudgeNoise[]> {
  const judged = openRun(folder);
  const again = await judgedAgainOf(judged, times);
  const { instruments } = await judgedOf(judged, { used: usedBy(judged), wants: () => false });
  return instruments.flatMap((instrument) => {
    const own = again.get(instrument.criterion);
    return own === undefined ? [] : [judgeNoise(instrument, own)];
  });
}
