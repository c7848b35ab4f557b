import { join, resolve } from 'node:path';
import type { Duration } from '@agent-criteria/calls';
import { CriteriaError, type Problem } from '@agent-criteria/core';
import type { ConfigPlugins } from '@agent-criteria/core/eval-set';
import { checkOptions } from '@agent-criteria/core/host';
import { type CaseSelection, type OutcomeRecord, outcomeOf, type RunCommit } from '@agent-criteria/results';
import { agentFacts, checkAgents, checkStubs, type RunAgents, readyAgents } from './agents.ts';
import { checkFiles } from './check-files.ts';
import { concludeRun, type GatesOfRun, hasGates } from './conclude-run.ts';
import { agentsWithWork } from './engine/engine.ts';
import type { Rerun } from './engine/plan-case.ts';
import { redactionOf } from './engine/redact.ts';
import { type Executed, execute } from './execute.ts';
import type { Journal } from './journal/journal.ts';
import { noJournal } from './journal/memory-journal.ts';
import { existsSync, mkdirSync } from './node-fs.ts';
import { timeNow } from './own-globals.ts';
import { type PlannedSet, planSets, type SetToRun } from './planned-set.ts';
import { newRunId } from './run-folder/describe-run.ts';
import { layout } from './run-folder/layout.ts';
import { leaseOptions } from './run-folder/lease.ts';
import { type SavedRun, saveRun } from './run-folder/saved-run.ts';
import { type AutoRepeats, checkRunSettings, type RunSettings, runSettingNames } from './settings.ts';

/** The plugins in each set's config, whose types are inferred where possible. */
type PluginsOfSets = readonly unknown[];

/** Options for `run`. Either `agent` or `variants` is required. */
export interface RunOptions<Plugins extends PluginsOfSets = readonly ConfigPlugins[]> extends RunSettings, RunAgents {
  /** The sets, either planned or as values. Sets with the same id get different ones: "home", "home (2)". */
  readonly sets: { readonly [Index in keyof Plugins]: PlannedSet | SetToRun<Plugins[Index]> };
  /**
   * The folder where everything is stored, so that the run survives this process. It must be new, or belong to the same
   * run, which is then resumed. Default: nothing is stored, and only the summary remains.
   */
  readonly folder?: string | undefined;
  /**
   * The folder to which `folder` and stored paths are relative. Default: the working folder at the time of the call.
   */
  readonly workingFolder?: string | undefined;
  /**
   * The journal where everything is stored instead of a folder: `memoryJournal()`, or one of your own. Units that it
   * already contains are not repeated. It is closed at the end, but can still be read. Default: nothing is stored.
   */
  readonly journal?: Journal | undefined;
  /** The run's gates, if it is judged and stored in a folder. Default: none. Gates in configs are not checked. */
  readonly gates?: GatesOfRun | undefined;
  /**
   * Which cases were selected, if the sets contain only some of their cases. It is stored, and reports mention it.
   * Default: all.
   */
  readonly selection?: CaseSelection | undefined;
  /** A name for the run in its folder, as people call it. Default: none. */
  readonly name?: string | undefined;
  /** The commit of the agent's code, to be stored in the folder. Default: not known. */
  readonly commit?: RunCommit | undefined;
  /** How many times each case runs, each time in its own session. Default 1. */
  readonly repeats?: number | undefined;
  /** Decides when a case has run enough times to stop before its last repeat. Requires scoring. Default: never. */
  readonly auto?: AutoRepeats | undefined;
  /**
   * How long a process may go without renewing its lease before another one may take the folder over. This process then
   * stops before its next write. Default `"30s"`.
   */
  readonly lease?: Duration | undefined;
  /** Which finished cases to run again when a run is resumed. Default: none. */
  readonly rerun?: Rerun | undefined;
  /** `false` to only run the agent; the run can be scored later. Default true. */
  readonly scoring?: boolean | undefined;
}

/** The result of a run. The cases are in its folder or journal: read them with `openRun` or `journalRecord`. */
export interface RunOutcome extends Executed {
  readonly folder: string | null;
  /** The outcome, which the folder also records, or `null` if the run is unfinished or was not judged. */
  readonly outcome: OutcomeRecord | null;
  /** Warnings, for example about a changed agent or a folder that was edited by hand. */
  readonly warnings: readonly Problem[];
}

/**
 * Runs one or several agents on eval sets and scores what they do. With a folder, every unit is stored as soon as it is
 * done, so a run that was killed continues from there, and memory use does not grow with the size of conversations.
 *
 * @throws CriteriaError for mistakes in the options, before the agent runs, including those that the agent reports
 *   (`Agent.check`); RUN_CHANGED, listing every difference, if the folder belongs to a different run; RUN_LOCKED if
 *   another process is writing to it. Never because of what the agent or a criterion does, nor for a full disk, which
 *   ends the run early.
 */
export async function run<const Plugins extends PluginsOfSets>(options: RunOptions<Plugins>): Promise<RunOutcome> {
  return (await runThrough(options)).outcome;
}

/**
 * Does the same as `run`, for a caller that collects everything as it is stored instead of reading it back.
 *
 * @param through Wraps the run's journal. Default: uses the journal directly.
 * @returns `isNew`: whether the run started here, so that everything passed through the wrapper.
 */
export async function runThrough(
  options: RunOptions,
  through: (journal: Journal) => Journal = (journal) => journal,
): Promise<{ readonly outcome: RunOutcome; readonly isNew: boolean }> {
  checkOptions(options, runOptionNames, { sets: 'a list of eval sets to run, as [{ evalSet, config }]' });
  const settings = checkRunSettings(options, { lease: options.lease });
  const { repeats = 1, auto, scoring: judge = true, rerun, signal, gates } = options;
  const usage = (message: string) => new CriteriaError({ code: 'USAGE', message });
  if (auto !== undefined && !judge)
    throw usage('how often a case runs can depend on its verdicts only where the run is scored');
  // Resolve paths now, because agents may change the working folder, some as soon as they are loaded.
  const workingFolder = options.folder === undefined ? '' : resolve(options.workingFolder ?? '.');
  const folder = options.folder === undefined ? undefined : resolve(workingFolder, options.folder);
  const sets = await planSets(options.sets, options.prices);
  if (sets.length === 0) throw new CriteriaError({ code: 'EMPTY', message: 'there is no eval set to run' });
  if (folder !== undefined && options.journal !== undefined)
    throw usage('a run is saved in a folder or in a journal, not both');
  const variants = await readyAgents(options);
  await checkFiles(
    sets.map(({ plan }) => plan),
    variants,
  );
  await checkStubs(
    sets.map(({ plan }) => plan),
    variants,
    signal,
  );
  const isNew = folder === undefined || !existsSync(layout.plan(folder));
  // A new run whose agent cannot run must not even start.
  if (isNew) await checkAgents(variants, signal);
  const redaction = redactionOf(options, sets);
  const cases = { sets, variants, auto, rerun };
  let saved: SavedRun | null = null;
  if (folder !== undefined) {
    saved = await saveRun({
      ...agentFacts(variants),
      sets,
      repeats,
      auto,
      selection: options.selection,
      commit: options.commit,
      prices: options.prices,
      name: options.name,
      gates: gates?.names,
      folder,
      workingFolder,
      redaction,
      judge,
      lease: leaseOptions(options, folder),
    });
  }
  const journal = through(saved?.journal ?? options.journal ?? noJournal);
  if (!isNew) await checkBusyAgents();
  const done = await execute({
    cases,
    repeats,
    settings: saved?.withLoss(settings) ?? settings,
    redaction,
    judge,
    journal,
    folder,
    isLasting: saved !== null || options.journal !== undefined,
  });
  if (saved === null) {
    // Gates read the finished run from its folder, so here they cannot be checked.
    const outcome = judge && done.finished ? outcomeOf({ summary: done.summary, unasked: hasGates(sets) }) : null;
    return { outcome: { ...done, folder: null, outcome }, isNew };
  }
  const concluded = await concludeRun(saved, done, { gates, sets, redaction });
  return { outcome: { ...done, folder: saved.folder, ...concluded }, isNew };

  /** Checks the agents that a resumed run still needs. */
  async function checkBusyAgents(): Promise<void> {
    try {
      await checkAgents(await agentsWithWork(cases, repeats, journal), signal);
    } catch (error) {
      await journal.close();
      throw error;
    }
  }
}

const runOptionNames = {
  ...runSettingNames,
  sets: true,
  agent: true,
  variants: true,
  folder: true,
  gates: true,
  workingFolder: true,
  journal: true,
  selection: true,
  name: true,
  commit: true,
  repeats: true,
  auto: true,
  lease: true,
  rerun: true,
  scoring: true,
} as const satisfies Record<keyof RunOptions, true>;

/** Creates a folder for a new run inside the runs folder. Another process never gets the same one. */
export function newRunFolder(runsFolder: string): string {
  mkdirSync(runsFolder, { recursive: true, mode: 0o700 });
  for (;;) {
    const folder = join(runsFolder, newRunId(timeNow()));
    try {
      mkdirSync(folder, { mode: 0o700 });
      return folder;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}
