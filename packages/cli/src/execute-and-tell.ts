import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { chdir } from 'node:process';
import type { Problem } from '@agent-criteria/core';
import { counted, summarise } from '@agent-criteria/core/host';
import { executeRun, type PreparedRun, type Project, type Settings } from '@agent-criteria/project';
import { shellWord } from '@agent-criteria/project/files';
import { makesCalls, type PreparedSet } from '@agent-criteria/project/plan';
import {
  loadInstruments,
  nameOfRun,
  type PreparedGates,
  prepareGates,
  type ReadyRun,
  variantsOf,
} from '@agent-criteria/project/runs';
import { consolePlan, problemText, timesText } from '@agent-criteria/report/console';
import { safe } from '@agent-criteria/report/terminal';
import { type GateRecord, runSet } from '@agent-criteria/results';
import type { Comparison } from '@agent-criteria/results/adk';
import { gateTitle } from '@agent-criteria/results/text';
import {
  addToOutcome,
  type GateName,
  type OpenedRun,
  openRun,
  type Rerun,
  type RunEvent,
  type RunOutcome,
  runDefaults,
} from '@agent-criteria/runner';
import { usage } from './arguments.ts';
import type { GatesOfFlags } from './asked-gates.ts';
import type { Io } from './io.ts';
import { maskOf } from './masked.ts';
import { printWarnings } from './print-problems.ts';
import { showProgress } from './progress.ts';
import { reportError } from './report-error.ts';
import { type Telling, tellRun } from './tell-run.ts';
import { UNCAUGHT } from './uncaught.ts';

/** How a run is executed, and what is printed about it. */
export interface ExecuteOptions extends Omit<Telling, 'comparison'> {
  /** The comparison with scores that were recorded elsewhere; `null`: they cannot be compared. Default: there are none. */
  readonly compare?: ((run: OpenedRun) => Promise<Comparison | null>) | undefined;
  /** Nothing stays on disk. Default `false`. */
  readonly leaveNothing?: boolean | undefined;
  readonly rerun?: Rerun | undefined;
  /** Gates of flags, beside those of the configs. Default: none. */
  readonly gates?: GatesOfFlags | undefined;
  /** Where the gate `regression` does not hold, everything runs once more, and both runs decide together. Default `false`. */
  readonly confirm?: boolean | undefined;
}

/**
 * Executes a prepared run, prints its progress and result, and returns the exit code.
 *
 * @throws CriteriaError USAGE where a regression is to be confirmed and none is asked for, or cases stop early.
 */
export async function executeAndTell(prepared: PreparedRun, options: ExecuteOptions, io: Io): Promise<number> {
  // Before the run: the last run must not be this one.
  const gates = prepared.judged ? await prepareGates(prepared, options.gates) : null;
  if (options.confirm === true) checkConfirmable(prepared, gates);
  return executeWithGates(prepared, gates, options, io);
}

/** @throws CriteriaError USAGE. */
function checkConfirmable({ auto }: PreparedRun, gates: PreparedGates | null): void {
  if (auto !== undefined)
    throw usage('--confirm needs a fixed number of repeats: cases that stop early cannot be run on');
  const asks = gates?.names.some(({ name }) => name === 'regression') === true;
  // Without an earlier run there is nothing to compare with yet, and a warning says so.
  if (!asks && (gates?.warnings.length ?? 0) === 0)
    throw usage('--confirm confirms what the gate regression finds: add --baseline FILE, RUN or last');
}

async function executeWithGates(
  prepared: PreparedRun,
  gates: PreparedGates | null,
  options: ExecuteOptions,
  io: Io,
): Promise<number> {
  const { sets, project, judged, repeats, agents } = prepared;
  const { json, leaveNothing = false, rerun } = options;
  const measured = judged ? await loadInstruments(project) : [];
  printWarnings([...(gates?.warnings ?? []), ...forgottenGates(prepared, gates?.names ?? [])], io);
  const each = sets.reduce((sum, { plan }) => sum + plan.evalSet.evalCases.length, 0);
  const cases = each * agents.length;
  const progress = showProgress(io, {
    ...(judged ? { total: cases, counted: 'cases' } : { total: cases * repeats, counted: 'inferences' }),
    quiet: json,
  });
  if (!sets.some(({ plan }) => makesCalls(plan))) printWarnings(idleFlags(project), io);
  const drain = io.drain();
  const workingFolder = process.cwd();
  const temporary = leaveNothing ? await mkdtemp(join(tmpdir(), 'agent-criteria-')) : undefined;
  let ready: ReadyRun | undefined;
  let watchdog: { end(): void } | undefined;
  const onReady = (all: ReadyRun): void => {
    ready = all;
    if (all.agent !== null) watchdog = io.watchTheLoop?.(all.turnTimeout ?? runDefaults.turnTimeout);
  };
  const onEvent = (event: RunEvent): void => {
    // A second run has the cases and criteria of the first.
    const isSecond = options.confirms !== undefined;
    // Not before: until then the run may be refused.
    if (event.type === 'run-started' && !json && !isSecond) io.out(startText(prepared, ready?.recorded ?? null, io));
    if (event.type === 'folder-awaited') io.err(awaitedText(event));
    progress.watch(event);
  };
  try {
    const executed = await executeRun(prepared, {
      rerun,
      gates: gates === null ? undefined : { ...gates, results: (run) => gates.results(run, measured) },
      folder: temporary,
      signal: io.signal,
      drain,
      onReady,
      onEvent,
      onCall: progress.watchCalls,
      onDead: (problem) => printWarnings([problem], io),
    }).finally(() => {
      watchdog?.end();
      progress.end();
      returnTo(workingFolder);
    });
    const { folder, outcome, atClosing, closingError } = executed;
    printWarnings(outcome.warnings, io);
    if (closingError !== undefined) reportError(closingError, io);
    printWarnings(atClosing, io);
    if (outcome.problems.some(({ code }) => code === 'RUN_LOCKED')) {
      // The run is that of another process now, which says what it comes to and writes the reports.
      io.err(problemsText(maskOf(io).json(outcome.problems)));
      return 3;
    }
    const name = leaveNothing ? null : nameOfRun(folder, project);
    const read = openRun(folder);
    const { compare } = options;
    const comparison = compare && (await tell(() => compare(read), io));
    const outcomeNow = addToOutcome(read, [
      ...(closingError === undefined ? [] : [CLOSING_FAILED]),
      ...((io.uncaught?.() ?? 0) > 0 ? [UNCAUGHT] : []),
      ...(comparison === undefined || isExplained(comparison)
        ? []
        : [comparison === null ? NOT_COMPARED : UNEXPLAINED]),
    ]);
    const opened: OpenedRun = { ...read, outcome: outcomeNow };
    const isKnown = (why: string) => outcomeNow?.state === 'recorded' && outcomeNow.problems.includes(why);
    if (!leaveNothing) io.whenExitChanges?.((why) => void (isKnown(why) || addToOutcome(opened, [why])));
    const telling = { ...options, comparison: comparison ?? undefined, measured };
    const again = options.confirm === true && isToConfirm(outcomeNow) && !io.signal.aborted && !drain.aborted;
    // One command prints one JSON text.
    const shown =
      again && json ? outcomeNow.exitCode : await tell(() => tellRun(opened, name, judged, telling, io), io);
    io.err(problemsText(maskOf(io).json(outcome.problems)));
    const stopped = io.signal.aborted || drain.aborted;
    if (!outcome.finished) {
      io.err(unfinishedText(name, prepared, outcome, { stopped, gates: options.gates?.flags ?? '' }));
      if (stopped) return 130;
      return outcome.summary.exitCode === 1 && judged ? 1 : 3;
    }
    if (!judged) return shown === 0 && closingError !== undefined ? 3 : (shown ?? 3);
    if (outcomeNow?.state !== 'recorded') {
      io.err(outcomeNow?.state === 'missing' ? NOT_RECORDED : FOLDER_CHANGED);
      return 3;
    }
    // The record on the disk, which is shown, has to be the one that this process computed.
    const isOurs = read.outcome?.state === 'recorded' && read.outcome.exitCode === outcome.outcome?.exitCode;
    if (!isOurs) {
      io.err(FOLDER_CHANGED);
      return 3;
    }
    if (
      options.confirm === true &&
      !again &&
      outcomeNow.gates.some(({ name, holds }) => name === 'regression' && holds !== true)
    )
      io.err(`Not run again: ${whyNotAgain(outcomeNow.gates)}.\n`);
    if (again && gates !== null && shown !== null) {
      io.err('Running once more, to confirm the regression.\n');
      return await executeWithGates(
        prepared,
        await gates.confirming(opened),
        { ...options, confirm: false, confirms: name ?? opened.info.id },
        io,
      );
    }
    if (shown !== null) return outcomeNow.exitCode;
    const last = addToOutcome(opened, [NOT_SHOWN]);
    return last?.state === 'recorded' ? last.exitCode : 3;
  } finally {
    if (temporary !== undefined) await rm(temporary, { recursive: true, force: true });
  }
}

/** Whether only a regression stands between this run and another exit code: where cases decide and failed, no second run helps. */
function isToConfirm(outcome: OpenedRun['outcome']): outcome is OpenedRun['outcome'] & { readonly state: 'recorded' } {
  if (outcome?.state !== 'recorded' || !outcome.gates.some(isRegression)) return false;
  return outcome.decided || outcome.summary.exitCode === 0;
}

function whyNotAgain(gates: readonly GateRecord[]): string {
  return gates.some(isRegression)
    ? 'the run was stopped, or cases failed that decide the exit code by themselves'
    : '--confirm confirms a regression that was found, and the gate cannot tell';
}

function isRegression({ name, holds }: GateRecord): boolean {
  return name === 'regression' && holds === false;
}

const FOLDER_CHANGED =
  'Exit code 3: the run folder does not match the result of this run: its files were changed in the meantime. Run again.\n';
const NOT_RECORDED =
  'Exit code 3: the outcome of this run could not be recorded, so no report of it would say what it came to. Resume the run.\n';

// Reasons that turn exit code 0 into 3, as the outcome records them.
const CLOSING_FAILED = 'the cache, the recording or the budget could not be saved';
const UNEXPLAINED = 'not every difference from ADK is explained';
const NOT_COMPARED = 'the scores could not be compared with those of ADK';
const NOT_SHOWN = 'a report could not be written';

/** Scores that were not compared, or differ without a reason, must not look verified. */
function isExplained(comparison: Comparison | null): boolean {
  return comparison !== null && comparison.differences.length === comparison.explained;
}

/** Warns of gates that the run was begun with and that this command does not ask: they will not be able to tell. */
function forgottenGates({ source, judged }: PreparedRun, names: readonly GateName[]): readonly Problem[] {
  if (source.kind !== 'resume' || !judged) return [];
  const asked = new Set(names.map(gateTitle));
  const before = openRun(source.folder).scoringPlan?.gates ?? [];
  const forgotten = before.map(gateTitle).filter((title) => !asked.has(title));
  if (forgotten.length === 0) return [];
  const [gates, they] = forgotten.length === 1 ? ['the gate', 'it'] : ['the gates', 'they'];
  const message = `this run was begun with ${gates} ${forgotten.join(', ')}, and is resumed without, so ${they} cannot tell: repeat the --gate and --baseline flags`;
  return [{ code: 'USAGE', message }];
}

function awaitedText({ holder, atMost }: Extract<RunEvent, { type: 'folder-awaited' }>): string {
  return `${capital(safe(holder))} may still be writing this run: waiting up to ${atMost / 1000} s to find out.\n`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Flags on models where none is asked. */
function idleFlags({ given: { judgeModel, recording } }: Project): readonly Problem[] {
  const idle = [
    ...(judgeModel === undefined ? [] : ['--judge-model']),
    ...(recording === undefined ? [] : ['a recording']),
  ];
  return idle.map((what) => ({ code: 'USAGE', message: `${what} has no effect: no criterion uses a model` }));
}

/** An agent may change the working folder, when it is loaded or in a turn. */
function returnTo(workingFolder: string): void {
  try {
    chdir(workingFolder);
  } catch {
    // It was deleted: what is written there fails by itself.
  }
}

function startText(prepared: PreparedRun, recorded: ReadyRun['recorded'], io: Io): string {
  const told = prepared.sets.map((set) => planText(set, prepared, io)).join('');
  if (recorded === null) return told;
  const label = recorded.label === null ? '' : ` (${safe(recorded.label)})`;
  const inside = relative('.', recorded.file);
  const file = inside.startsWith('..') ? recorded.file : inside;
  // Before the empty line that ends the plan.
  return `${told.trimEnd()}\n${whoReplays(prepared)} from the recording ${safe(file)}${label}\n\n`;
}

/** Who gets answers from the recording, as the beginning of a sentence. */
function whoReplays({ sets, agents, judged }: PreparedRun): string {
  const isLed = agents[0]?.agent !== null && sets.some(({ plan }) => plan.simulator !== null);
  const isJudged = judged && sets.some(({ plan }) => makesCalls({ ...plan, simulator: null }));
  if (!isLed) return 'judges answer';
  return isJudged ? 'judges and simulated users answer' : 'simulated users answer';
}

/** What is going to be done. */
function planText(set: PreparedSet, prepared: PreparedRun, { color, width }: Io): string {
  const { judged, repeats, auto } = prepared;
  const variants = variantsOf(prepared);
  const { compat, evalSet } = set.plan;
  const cases = evalSet.evalCases.length;
  if (judged)
    return consolePlan(
      runSet(set.plan, set, summarise([])),
      { cases, repeats, auto, variants, compat },
      { color, width: width.out },
    );
  const times = timesText({ repeats, variants });
  return `${safe(evalSet.evalSetId)}: ${counted(cases, 'case')}${times}${set.file === null ? '' : `${times === '' ? '' : ','} from ${safe(set.file)}`}\n`;
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

/** More answers that a recording lacks say nothing more: each case has its own as its reason. */
const MOST_MISSING = 1;

function problemsText(problems: readonly Problem[]): string {
  const missing = problems.filter(({ code }) => code === 'RECORDING_MISSING');
  const told = problems.filter((problem) => !missing.slice(MOST_MISSING).includes(problem));
  const more = missing.length - MOST_MISSING;
  const rest = more > 0 ? `The recording lacks ${counted(more, 'more answer')} of this run.\n` : '';
  return told.map((problem) => `${problemText(problem)}\n`).join('') + rest;
}

function unfinishedText(
  name: string | null,
  { agents, project }: PreparedRun,
  { problems }: RunOutcome,
  { stopped, gates }: { readonly stopped: boolean; readonly gates: string },
): string {
  if (name === null) return '\nThe run is incomplete, and nothing of it was saved.\n';
  const isSpent = problems.some(({ code }) => code === 'BUDGET_SPENT');
  const lacksAnswers = problems.some(({ code }) => code === 'RECORDING_MISSING');
  if (agents[0]?.agent === null) {
    if (isSpent)
      return '\nNot everything is scored. Run the same command again to continue; it may spend the same budget again.\n';
    return stopped || lacksAnswers
      ? '\nNot everything is scored. Run the same command again to continue.\n'
      : '\nNot everything is scored: see the errored cases above. To run them, start a new run.\n';
  }
  const { judgeModel, recording } = project.given;
  const judge = judgeModel === undefined ? '' : ` --judge-model ${shellWord(judgeModel)}`;
  const budget = isSpent ? '\nIt may spend the same budget again; use the same flags to set a larger one.' : '';
  return `\nRun incomplete. Resume with: agent-criteria resume ${safe(`${name}${judge}${recordingFlags(recording, lacksAnswers)}${gates}`)}${budget}\n`;
}

/** Without them, the judge would be asked live. What was recorded already is not asked for again. */
function recordingFlags({ file, mode }: NonNullable<Settings['recording']> = {}, lacksAnswers: boolean): string {
  const next = mode === 'record' || (mode === 'replay' && lacksAnswers) ? 'auto' : mode;
  if (file === undefined && next === undefined) return '';
  return ` --recording ${shellWord(`${file ?? ''}${next === undefined ? '' : `:${next}`}`)}`;
}
