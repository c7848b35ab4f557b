import { join, resolve } from 'node:path';
import type { Duration } from '@agent-criteria/calls';
import { CriteriaError, type Problem } from '@agent-criteria/core';
import type { ConfigPlugins } from '@agent-criteria/core/eval-set';
import { checkOptions } from '@agent-criteria/core/host';
import { type CaseSelection, type OutcomeRecord, outcomeOf } from '@agent-criteria/results';
import { agentFacts, checkAgents, checkStubs, type RunAgents, readyAgents } from './agents.ts';
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

/** The plugins of each set's config, of any type unless something says more. */
type PluginsOfSets = readonly unknown[];

/** Options of `run`. Needs `agent` or `variants`. */
export interface RunOptions<Plugins extends PluginsOfSets = readonly ConfigPlugins[]> extends RunSettings, RunAgents {
  /** The sets with their plans, or as values. If two have the same id, they get different ones: "home", "home (2)". */
  readonly sets: { readonly [Index in keyof Plugins]: PlannedSet | SetToRun<Plugins[Index]> };
  /**
   * The folder where everything is stored, so that the run survives this process: a new one, or that of the same run, which
   * then resumes. Default: nothing is stored, and only the summary remains.
   */
  readonly folder?: string | undefined;
  /** The folder that `folder` and stored paths are relative to. Default: the working folder when `run` is called. */
  readonly workingFolder?: string | undefined;
  /**
   * The journal where everything is stored instead of a folder: `memoryJournal()`, or one of your own. Units that it has
   * already are not repeated. It is closed at the end, and can be read afterwards. Default: nothing is stored.
   */
  readonly journal?: Journal | undefined;
  /** The gates of the run, if it is judged and stored in a folder. Default: none; gates of configs are not asked. */
  readonly gates?: GatesOfRun | undefined;
  /** Which cases were asked for, if the sets have only some of theirs. It is stored, and reports mention it. Default: all. */
  readonly selection?: CaseSelection | undefined;
  /** How often each case runs, each time in a session of its own. Default 1. */
  readonly repeats?: number | undefined;
  /** When a case has run often enough to stop before its last repeat. Needs scoring. Default: never. */
  readonly auto?: AutoRepeats | undefined;
  /**
   * How long a process may go without renewing its lease before another one may take the folder over. This process then stops
   * before its next write. Default `"30s"`.
   */
  readonly lease?: Duration | undefined;
  /** The finished cases that a resumed run runs again. Default: none. */
  readonly rerun?: Rerun | undefined;
  /** `false`: run the agent only; the run can be scored later. Default true. */
  readonly scoring?: boolean | undefined;
}

/** The result of a run. The cases are in its folder or journal: read them with `openRun` or `journalRecord`. */
export interface RunOutcome extends Executed {
  readonly folder: string | null;
  /** The outcome, as recorded in the folder; `null` if the run is not finished or was not judged. */
  readonly outcome: OutcomeRecord | null;
  /** Warnings, such as a changed agent or a folder that was changed by hand. */
  readonly warnings: readonly Problem[];
}

/**
 * Runs an agent, or several, on eval sets and scores what they do. With a folder, every unit is stored as soon as it is done: a
 * run that was killed continues from there, and memory does not grow with the size of conversations.
 *
 * @throws CriteriaError for mistakes in the options, before the agent runs, including those that the agent reports
 *   (`Agent.check`); RUN_CHANGED if the folder has a different run, with every difference; RUN_LOCKED if another process
 *   writes it. Never for what the agent or a criterion does, nor for a full disk, which ends the run early.
 */
export async function run<const Plugins extends PluginsOfSets>(options: RunOptions<Plugins>): Promise<RunOutcome> {
  return (await runThrough(options)).outcome;
}

/**
 * Runs as `run` does, for a caller that collects everything that is stored instead of reading it back.
 *
 * @param through Wraps the journal of the run. Default: none.
 * @returns `isNew`: whether the run began here, so that all of it has gone through the wrapper.
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
  // Agents change the working folder, some as soon as they are loaded.
  const workingFolder = options.folder === undefined ? '' : resolve(options.workingFolder ?? '.');
  const folder = options.folder === undefined ? undefined : resolve(workingFolder, options.folder);
  const sets = await planSets(options.sets, options.prices);
  if (sets.length === 0) throw new CriteriaError({ code: 'EMPTY', message: 'there is no eval set to run' });
  if (folder !== undefined && options.journal !== undefined)
    throw usage('a run is saved in a folder or in a journal, not both');
  const variants = await readyAgents(options);
  await checkStubs(
    sets.map(({ plan }) => plan),
    variants,
    signal,
  );
  const isNew = folder === undefined || !existsSync(layout.plan(folder));
  // A new run of an agent that cannot run does not even begin.
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
    // Gates read the finished run from its folder, so they cannot be asked.
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
  repeats: true,
  auto: true,
  lease: true,
  rerun: true,
  scoring: true,
} as const satisfies Record<keyof RunOptions, true>;

/** Creates a folder for a new run inside a folder of runs. No other process uses it. */
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
