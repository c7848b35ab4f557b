import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chdir } from 'node:process';
import { type ExecutedRun, executeRun, type PreparedRun } from '@agent-criteria/project';
import { makesCalls } from '@agent-criteria/project/plan';
import {
  changesSinceRunBefore,
  loadInstruments,
  nameOfRun,
  type PreparedGates,
  prepareGates,
  type ReadyRun,
} from '@agent-criteria/project/runs';
import type { GateRecord } from '@agent-criteria/results';
import type { Comparison } from '@agent-criteria/results/adk';
import { addToOutcome, type OpenedRun, openRun, type Rerun, type RunEvent, runDefaults } from '@agent-criteria/runner';
import { usage } from './arguments.ts';
import { exitOf, isTakenOver, UNCAUGHT } from './exit-code.ts';
import type { GatesOfFlags } from './flag-values.ts';
import type { Io } from './io.ts';
import { maskOf } from './masked.ts';
import { printWarnings, reportError } from './print.ts';
import { showProgress } from './progress.ts';
import { type RunReportOptions, reportRun } from './report-run.ts';
import { awaitedText, forgottenGates, idleFlags, problemsText, startText, unfinishedText } from './run-texts.ts';

/** Options for executing a run and reporting it. */
export interface ExecuteOptions extends Omit<RunReportOptions, 'comparison' | 'since'> {
  /**
   * Compares the scores with ones recorded elsewhere, or returns `null` if they cannot be compared. Default: no
   * comparison.
   */
  readonly compare?: ((run: OpenedRun) => Promise<Comparison | null>) | undefined;
  /** Loads an agent, for example in a process of its own. Default: it is imported into this process. */
  readonly loadAgent?: NonNullable<Parameters<typeof executeRun>[1]>['loadAgent'];
  /** Returns the files that the agents have loaded so far, where `loadAgent` knows them. */
  readonly loadedFiles?: NonNullable<Parameters<typeof executeRun>[1]>['loadedFiles'];
  /** A name for a new run. Default: none. */
  readonly name?: string | undefined;
  /** Called with the executed run, before it is reported. */
  readonly onExecuted?: ((run: ExecutedRun) => void) | undefined;
  /** Whether to leave nothing on disk. Default `false`. */
  readonly leaveNothing?: boolean | undefined;
  readonly rerun?: Rerun | undefined;
  /** Gates given as flags, in addition to those in the configs. Default: none. */
  readonly gates?: GatesOfFlags | undefined;
  /**
   * Whether to run everything once more if the gate `regression` does not hold, so that both runs decide together.
   * Default `false`.
   */
  readonly confirm?: boolean | undefined;
}

/**
 * Executes a prepared run, prints its progress and result, and returns the exit code.
 *
 * @throws CriteriaError USAGE if a regression is to be confirmed without a gate on it, or if cases stop early.
 */
export async function executeAndReport(prepared: PreparedRun, options: ExecuteOptions, io: Io): Promise<number> {
  // Prepared before the run starts; otherwise `last` would mean this run.
  const gates = prepared.judged ? await prepareGates(prepared, options.gates) : null;
  if (options.confirm === true) checkConfirmable(prepared, gates, options.gates);
  return executeWithGates(prepared, gates, options, io);
}

/** Checks that a regression can be confirmed. @throws CriteriaError USAGE. */
function checkConfirmable(
  { auto, sets }: PreparedRun,
  gates: PreparedGates | null,
  flags: GatesOfFlags | undefined,
): void {
  if (auto !== undefined)
    throw usage('--confirm needs a fixed number of repeats: cases that stop early cannot be run on');
  if (gates?.asksForRegression === true) return;
  const hasBaseline = flags?.baseline !== undefined || sets.some((set) => set.gates?.baseline !== undefined);
  const missing = hasBaseline ? '--gate regression=true' : '--baseline FILE, RUN or last';
  throw usage(`--confirm confirms what the gate regression finds: add ${missing}`);
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
  if (!sets.some(({ plan }) => makesCalls(plan))) printWarnings(idleFlags(project), io);
  const drain = io.drain();
  const isStopped = () => io.signal.aborted || drain.aborted;
  const progress = showProgress(io, {
    ...(judged ? { total: cases, counted: 'cases' } : { total: cases * repeats, counted: 'inferences' }),
    quiet: json,
    isStopped,
  });
  const workingFolder = process.cwd();
  const temporary = leaveNothing ? await mkdtemp(join(tmpdir(), 'agent-criteria-')) : undefined;
  let ready: ReadyRun | undefined;
  let watchdog: { end(): void } | undefined;
  const onReady = (all: ReadyRun): void => {
    ready = all;
    if (all.agent !== null) watchdog = io.watchTheLoop?.(all.turnTimeout ?? runDefaults.turnTimeout);
  };
  const onEvent = (event: RunEvent): void => {
    // A second run has the same cases and criteria as the first.
    const isSecond = options.confirms !== undefined;
    // Not printed earlier, because the run could still have been rejected.
    if (event.type === 'run-started' && !json && !isSecond) io.out(startText(prepared, ready?.recorded ?? null, io));
    if (event.type === 'folder-awaited') io.err(awaitedText(event));
    progress.watch(event);
  };
  try {
    const executed = await executeRun(prepared, {
      rerun,
      loadAgent: options.loadAgent,
      loadedFiles: options.loadedFiles,
      name: options.name,
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
    options.onExecuted?.(executed);
    printWarnings(outcome.warnings, io);
    if (closingError !== undefined) reportError(closingError, io);
    printWarnings(atClosing, io);
    const problems = problemsText(maskOf(io).json(outcome.problems));
    const ended = { outcome, judged, isStopped: isStopped(), closingFailed: closingError !== undefined };
    if (isTakenOver(outcome)) {
      // The process that has taken over the run reports it.
      io.err(problems);
      return exitOf(ended).code;
    }
    const name = leaveNothing ? null : nameOfRun(folder, project);
    const read = openRun(folder);
    const { compare } = options;
    const comparison = compare && (await attempt(() => compare(read), io));
    let record = addToOutcome(read, [
      ...(closingError === undefined ? [] : [CLOSING_FAILED]),
      ...((io.uncaught?.() ?? 0) > 0 ? [UNCAUGHT] : []),
      ...(comparison === undefined ? [] : unexplained(comparison)),
    ]);
    const opened: OpenedRun = { ...read, outcome: record };
    const { outcome: known } = opened;
    const isKnown = (why: string) => known?.state === 'recorded' && known.problems.includes(why);
    if (!leaveNothing) io.whenExitChanges?.((why) => void (isKnown(why) || addToOutcome(opened, [why])));
    const isComparable = judged && outcome.finished && options.confirms === undefined;
    const since = isComparable ? await attempt(() => changesSinceRunBefore(read, project.runsFolder), io) : null;
    const reporting = { ...options, comparison: comparison ?? undefined, measured, since: since ?? undefined };
    const again = options.confirm === true && isToConfirm(known) && !isStopped();
    // One command prints one JSON value.
    const shown =
      again && json ? known.exitCode : await attempt(() => reportRun(opened, name, judged, reporting, io), io);
    io.err(problems);
    // The record on disk, which is shown, must be the one that this process computed.
    const isOurs = read.outcome?.state === 'recorded' && read.outcome.exitCode === outcome.outcome?.exitCode;
    const isTrusted = judged && outcome.finished && isOurs;
    if (isTrusted && shown === null) record = addToOutcome(opened, [NOT_SHOWN]);
    const exit = exitOf({ ...ended, isStopped: isStopped(), shown, record, isOurs });
    if (!outcome.finished) {
      io.err(unfinishedText(name, prepared, outcome, { stopped: isStopped(), gates: options.gates?.flags ?? '' }));
    }
    if (exit.why !== undefined) io.err(exit.why);
    if (!isTrusted || options.confirm !== true) return exit.code;
    if (again && gates !== null && shown !== null) {
      io.err('Running once more, to confirm the regression.\n');
      const confirming = { ...options, confirm: false, confirms: name ?? opened.info.id };
      return await executeWithGates(prepared, await gates.confirming(opened), confirming, io);
    }
    const regression = opened.outcome?.state === 'recorded' ? opened.outcome.gates.filter(isRegression) : [];
    if (!again && regression.some(({ holds }) => holds !== true))
      io.err(`Not run again: ${whyNotAgain(regression)}.\n`);
    return exit.code;
  } finally {
    if (temporary !== undefined) await rm(temporary, { recursive: true, force: true });
  }
}

/**
 * Whether a second run can change the exit code, which requires that a regression was found and that no failed case
 * decides on its own.
 */
function isToConfirm(outcome: OpenedRun['outcome']): outcome is OpenedRun['outcome'] & { readonly state: 'recorded' } {
  if (outcome?.state !== 'recorded' || !hasRegression(outcome.gates)) return false;
  return outcome.decided || outcome.summary.exitCode === 0;
}

function whyNotAgain(gates: readonly GateRecord[]): string {
  return hasRegression(gates)
    ? 'the run was stopped, or cases failed that decide the exit code by themselves'
    : '--confirm confirms a regression that was found, and the gate cannot tell';
}

function hasRegression(gates: readonly GateRecord[]): boolean {
  return gates.some((gate) => isRegression(gate) && gate.holds === false);
}

function isRegression({ name }: GateRecord): boolean {
  return name === 'regression';
}

// Reasons that turn exit code 0 into 3, as recorded in the outcome.
const CLOSING_FAILED = 'the cache, the recording or the budget could not be saved';
const UNEXPLAINED = 'not every difference from ADK is explained';
const NOT_COMPARED = 'the scores could not be compared with those of ADK';
const NOT_SHOWN = 'a report could not be written';

/**
 * Returns the reasons why scores must not look verified: either they were not compared, or they differ without an
 * explanation.
 */
function unexplained(comparison: Comparison | null): readonly string[] {
  if (comparison === null) return [NOT_COMPARED];
  return comparison.differences.length === comparison.explained ? [] : [UNEXPLAINED];
}

/** Restores the working folder, which an agent may have changed when it was loaded or during a turn. */
function returnTo(workingFolder: string): void {
  try {
    chdir(workingFolder);
  } catch {
    // The folder was deleted. Writing to it will fail on its own.
  }
}

/** Runs work, or prints its error and returns `null`. The run has already started, so this must not exit with 2. */
async function attempt<T>(work: () => Promise<T>, io: Io): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    reportError(error, io);
    return null;
  }
}
