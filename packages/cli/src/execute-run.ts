import { mkdtemp, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { type Agent, CriteriaError, type Problem } from '@agent-criteria/core';
import { summarise } from '@agent-criteria/core/host';
import { makesCalls, type Settings, withProjectSettings } from '@agent-criteria/project';
import { consolePlan, problemText } from '@agent-criteria/report';
import { safe } from '@agent-criteria/report/terminal';
import { runSet } from '@agent-criteria/results';
import {
  newRunFolder,
  openRun,
  type Rerun,
  type RunEvent,
  type RunOutcome,
  type RunSettings,
  run,
  scoreRun,
} from '@agent-criteria/runner';
import { nameOfRun } from './find-run.ts';
import type { Io } from './io.ts';
import { type OpenedPolicies, openPolicies } from './open-policies.ts';
import type { PreparedSet } from './plan-sets.ts';
import type { FoundAgent } from './prepare-run.ts';
import { count, printWarnings } from './print-problems.ts';
import { showProgress } from './progress.ts';
import type { Project } from './project.ts';
import { reportError } from './report-error.ts';
import { shellWord } from './shell-word.ts';
import { type Telling, tellRun } from './tell-run.ts';
import { watchTheLoop } from './watchdog.ts';

/** What is to be done, and what is to be told of it. */
export interface ExecuteOptions extends Telling {
  readonly sets: readonly PreparedSet[];
  readonly project: Project;
  /** `null`: what the folder has is scored once more. */
  readonly agent: FoundAgent | null;
  /** Of a run that goes on, or is scored again. Default: a new one. */
  readonly folder?: string | undefined;
  /** Nothing stays on disk. Default `false`. */
  readonly leaveNothing?: boolean | undefined;
  readonly repeats: number;
  readonly rerun?: Rerun | undefined;
}

/** Runs, tells what happens and what came of it, and gives the exit code. */
export async function executeRun(options: ExecuteOptions, io: Io): Promise<number> {
  const { sets, project, json, judged, leaveNothing = false } = options;
  const cases = sets.reduce((sum, { plan }) => sum + plan.evalSet.evalCases.length, 0);
  const progress = showProgress(io, {
    ...(judged ? { total: cases, counted: 'cases' } : { total: cases * options.repeats, counted: 'inferences' }),
    quiet: json,
  });
  let folder: string | undefined;
  let policies: OpenedPolicies | undefined;
  try {
    policies = await openPolicies({
      plans: sets.map(({ plan }) => plan),
      project,
      onEvent: progress.watchCalls,
      onDead: (problem) => printWarnings([problem], io),
    });
    if (policies === undefined) printWarnings(idleFlags(project), io);
    const agent = (await options.agent?.load()) ?? null;
    folder = options.folder ?? (await newFolder(project.runsFolder, leaveNothing));
    const drain = io.drain();
    const onEvent = (event: RunEvent): void => {
      // Not before: until then the run may be refused.
      if (event.type === 'run-started' && !json) io.out(startText(options, policies, io));
      progress.watch(event);
    };
    const how = withProjectSettings({ policies, signal: io.signal, drain, onEvent }, project.config);
    let outcome: RunOutcome;
    const watchdog = agent === null ? null : watchTheLoop(how.turnTimeout);
    try {
      outcome = await start(options, agent, folder, how);
    } finally {
      watchdog?.end();
      progress.end();
    }
    printWarnings(outcome.warnings, io);
    const asked = policies;
    policies = undefined;
    const atClosing = await tell(async () => (await asked?.close()) ?? [], io);
    printWarnings(atClosing ?? [], io);
    const name = leaveNothing ? null : nameOfRun(folder, project);
    const run = folder;
    const shown = await tell(() => tellRun(openRun(run), name, options, io), io);
    io.err(problemsText(outcome.problems));
    const stopped = io.signal.aborted || drain.aborted;
    if (!outcome.finished) io.err(unfinishedText(name, options, outcome, stopped));
    if (!outcome.finished && stopped) return 130;
    const code = judged ? outcome.summary.exitCode : (shown ?? 3);
    if (outcome.finished && shown !== null && shown !== code) {
      io.err(
        'Exit code 3: the run folder does not hold what this run came to. Something has changed its files meanwhile: run again.\n',
      );
      return 3;
    }
    return code === 0 && !(outcome.finished && shown !== null && atClosing !== null) ? 3 : code;
  } finally {
    progress.end();
    await policies?.close();
    if (leaveNothing && folder !== undefined) await rm(folder, { recursive: true, force: true });
    // Of a run that was refused, nothing stands there but the folder.
    else if (options.folder === undefined && folder !== undefined) await rmdir(folder).catch(() => undefined);
  }
}

/** Flags on models where none is asked. */
function idleFlags({ given: { judgeModel, recording } }: Project): readonly Problem[] {
  const idle = [
    ...(judgeModel === undefined ? [] : ['--judge_model']),
    ...(recording === undefined ? [] : ['a recording']),
  ];
  return idle.map((what) => ({ code: 'USAGE', message: `${what} changes nothing: nothing here asks a model` }));
}

async function newFolder(runsFolder: string, leaveNothing: boolean): Promise<string> {
  if (leaveNothing) return mkdtemp(join(tmpdir(), 'agent-criteria-'));
  try {
    return newRunFolder(runsFolder);
  } catch (error) {
    const message = `no run can be kept here: ${(error as Error).message}; name another folder with --runs_folder, or give --no_run_folder`;
    throw new CriteriaError({ code: 'WRITE_FAILED', file: runsFolder, message }, { cause: error });
  }
}

function startText(options: ExecuteOptions, policies: OpenedPolicies | undefined, io: Io): string {
  const { recorded } = policies ?? { recorded: null };
  const told = options.sets.map((set) => planText(set, options, io)).join('');
  if (recorded === null) return told;
  const label = recorded.label === null ? '' : ` (${safe(recorded.label)})`;
  const inside = relative('.', recorded.file);
  const file = inside.startsWith('..') ? recorded.file : inside;
  // Before the empty line that ends the plan.
  return `${told.trimEnd()}\n${whoReplays(options)} from the recording ${safe(file)}${label}\n\n`;
}

/** Who gets answers from the recording, as the beginning of a sentence. */
function whoReplays({ sets, agent, judged }: ExecuteOptions): string {
  const isLed = agent !== null && sets.some(({ plan }) => plan.simulator !== null);
  const isJudged = judged && sets.some(({ plan }) => makesCalls({ ...plan, simulator: null }));
  if (!isLed) return 'judges answer';
  return isJudged ? 'judges and simulated users answer' : 'simulated users answer';
}

/** What is going to be done. */
function planText(set: PreparedSet, { judged, repeats }: ExecuteOptions, { color }: Io): string {
  const { compat, evalSet } = set.plan;
  const cases = evalSet.evalCases.length;
  if (judged) return consolePlan(runSet(set.plan, set, summarise([])), { cases, repeats, compat }, { color });
  const times = repeats > 1 ? `, ${repeats} times each` : '';
  return `${safe(evalSet.evalSetId)}: ${count(cases, 'case')}${times}${set.file === null ? '' : ` from ${safe(set.file)}`}\n`;
}

function start(options: ExecuteOptions, agent: Agent | null, folder: string, how: RunSettings): Promise<RunOutcome> {
  const { sets, repeats, rerun, judged } = options;
  if (agent === null) return scoreRun({ ...how, sets, folder });
  const { file, agentName } = options.agent ?? {};
  return run({ ...how, sets, folder, agent, agentPath: file, agentName, repeats, rerun, scoring: judged });
}

/** `null`: it threw. That was not found before anything ran, so the exit code must not say so. */
async function tell<T>(work: () => Promise<T>, io: Io): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    reportError(error, io);
    return null;
  }
}

/** More answers that a recording lacks say nothing more. */
const MOST_MISSING = 3;

function problemsText(problems: readonly Problem[]): string {
  const missing = problems.filter(({ code }) => code === 'RECORDING_MISSING');
  const told = problems.filter((problem) => !missing.slice(MOST_MISSING).includes(problem));
  const more = missing.length - MOST_MISSING;
  const rest = more > 0 ? `${count(more, 'more answer')} ${more === 1 ? 'is' : 'are'} missing.\n` : '';
  return told.map((problem) => `${problemText(problem)}\n`).join('') + rest;
}

function unfinishedText(
  name: string | null,
  { agent, project }: ExecuteOptions,
  { problems }: RunOutcome,
  stopped: boolean,
): string {
  if (name === null) return '\nThe run did not come to its end, and nothing of it is kept.\n';
  const isSpent = problems.some(({ code }) => code === 'BUDGET_SPENT');
  const lacksAnswers = problems.some(({ code }) => code === 'RECORDING_MISSING');
  if (agent === null) {
    if (isSpent) return '\nNot everything is scored. The same command goes on with it, and may spend as much again.\n';
    return stopped || lacksAnswers
      ? '\nNot everything is scored. The same command goes on with it.\n'
      : '\nNot everything is scored: see the cases that are an error above. To run them, begin a new run.\n';
  }
  const { judgeModel, recording } = project.given;
  const judge = judgeModel === undefined ? '' : ` --judge_model ${shellWord(judgeModel)}`;
  const budget = isSpent ? '\nIt may spend as much again; a larger budget is given by the same flags.' : '';
  return `\nThe run did not come to its end. To go on with it: agent-criteria resume ${safe(`${name}${judge}${recordingFlags(recording, lacksAnswers)}`)}${budget}\n`;
}

/** Without them, the judge would be asked live. What was recorded already is not asked for again. */
function recordingFlags({ file, mode }: NonNullable<Settings['recording']> = {}, lacksAnswers: boolean): string {
  const next = mode === 'record' || (mode === 'replay' && lacksAnswers) ? 'auto' : mode;
  if (file !== undefined && next === 'replay') return ` --replay ${shellWord(file)}`;
  const named = file === undefined ? '' : ` --recording_file ${shellWord(file)}`;
  return next === undefined ? named : `${named} --recording_mode ${next}`;
}
