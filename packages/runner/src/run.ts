import { join, resolve } from 'node:path';
import type { Duration } from '@agent-criteria/calls';
import { CriteriaError, type Problem } from '@agent-criteria/core';
import type { ConfigPlugins } from '@agent-criteria/core/eval-set';
import { checkOptions } from '@agent-criteria/core/host';
import { type CaseSelection, type OutcomeRecord, outcomeOf } from '@agent-criteria/results';
import { agentFacts } from './agent-facts.ts';
import type { AgentInput } from './agent-input.ts';
import type { AutoRepeats } from './auto-repeats.ts';
import { checkStubs } from './check-stubs.ts';
import { concludeRun, type GatesOfRun, hasGates } from './conclude-run.ts';
import { planCase, type Rerun } from './engine/plan-case.ts';
import { redactionOf } from './engine/redact.ts';
import { type Executed, execute } from './execute.ts';
import type { Journal } from './journal/journal.ts';
import { noJournal } from './journal/no-journal.ts';
import { statesByKey } from './journal/states-by-key.ts';
import { keyText } from './key-text.ts';
import { existsSync, mkdirSync } from './node-fs.ts';
import { timeNow } from './own-globals.ts';
import { type PlannedSet, withUniqueIds } from './planned-set.ts';
import { newRunId } from './run-folder/create-run.ts';
import { inScores, keepRun } from './run-folder/keep-run.ts';
import { layout } from './run-folder/layout.ts';
import { leaseOptions, withLoss } from './run-lease.ts';
import { planSetOptions, requiredOfSet, type SetToRun, setOptionNames } from './set-options.ts';
import { checkPositive, checkRunSettings, type RunSettings, runSettingNames } from './settings.ts';
import { seenHash } from './unit.ts';
import {
  type AgentVariant,
  checkAgents,
  forEachVariant,
  isVariants,
  type ReadyVariant,
  toVariants,
} from './variants.ts';

/** The plugins of each set's config; whatever they are, if nothing says more. */
type PluginsOfSets = readonly unknown[];

export interface RunOptions<Plugins extends PluginsOfSets = readonly ConfigPlugins[]> extends RunSettings {
  /** What to run and how it is judged: sets with their plans, or as values. Two sets of one id get different ones: "home", "home (2)". */
  readonly sets: { readonly [Index in keyof Plugins]: PlannedSet | SetToRun<Plugins[Index]> };
  /** The agent under test; or several, each with a name: every case runs with each, and they are compared side by side. */
  readonly agent: AgentInput | readonly AgentVariant[];
  /** The agent's module, when `agent` is what it exports: a resumed run tells whether it has changed. */
  readonly agentPath?: string | undefined;
  /** The name by which `agent` was chosen among those of its module, if it was: a resumed run needs it. */
  readonly agentName?: string | undefined;
  /**
   * Where everything is kept, so that the run survives this process: a new folder, or that of the same run, which is
   * then continued. Default: nothing is kept, and only the summary remains.
   */
  readonly folder?: string | undefined;
  /** What `folder` is relative to, and the paths that are kept. Default: the working folder when `run` is called. */
  readonly workingFolder?: string | undefined;
  /**
   * Where everything is kept instead of a folder: `memoryJournal()`, or one of your own. What it has already is not done
   * again. It is closed at the end, and can be read afterwards. Default: nothing is kept.
   */
  readonly journal?: Journal | undefined;
  /** The gates of the run, if it is judged and kept in a folder. Default: none; gates of configs are not asked. */
  readonly gates?: GatesOfRun | undefined;
  /** Which cases of the sets were asked for, where the sets have only some of theirs: it is kept, and reports say it. Default: all. */
  readonly selection?: CaseSelection | undefined;
  /** How often each case runs, each time in a session of its own. Default 1. */
  readonly repeats?: number | undefined;
  /**
   * When a case has run often enough: then it stops before its last repeat. Needs scoring. Default: every case runs as often as
   * `repeats` says.
   */
  readonly auto?: AutoRepeats | undefined;
  /**
   * How long another process waits for a sign of life before it takes the folder over; this one then stops before its next
   * write. Default `"30s"`.
   */
  readonly lease?: Duration | undefined;
  /** In a run that is continued: what is done again although it is finished. Default: nothing. */
  readonly rerun?: Rerun | undefined;
  /** `false`: run the agent only; the run can be scored later. Default true. */
  readonly scoring?: boolean | undefined;
}

/** What a run came to. The cases are in its folder or journal: read them with `openRun` or `journalRecord`. */
export interface RunOutcome extends Executed {
  readonly folder: string | null;
  /** The outcome, as recorded in the folder; `null` if the run is not finished or was not judged. */
  readonly outcome: OutcomeRecord | null;
  /** What is odd: a changed agent, a folder that somebody has changed. */
  readonly warnings: readonly Problem[];
}

/**
 * Runs an agent on eval sets and scores what it does. With a folder, every unit is kept as soon as it is done: a run that was
 * killed goes on where it was, and memory does not grow with what was said.
 *
 * @throws CriteriaError when something is wrong with what was asked, before the agent runs: what the agent says of itself
 *   (`Agent.check`); RUN_CHANGED when the folder
 *   holds a run of something else, naming what is different; RUN_LOCKED when another process writes it. Never for what
 *   the agent or a criterion does, nor for a full disk, which ends the run early.
 */
export async function run<const Plugins extends PluginsOfSets>(options: RunOptions<Plugins>): Promise<RunOutcome> {
  return (await runThrough(options)).outcome;
}

/**
 * `run` for a caller who wants all that was kept, and not to read it back from the disk.
 *
 * @param through Wraps the journal that the run keeps in. Default: does nothing.
 * @returns `isNew`: the run began here, so that everything has gone through it.
 */
export async function runThrough(
  options: RunOptions,
  through: (journal: Journal) => Journal = (journal) => journal,
): Promise<{ readonly outcome: RunOutcome; readonly isNew: boolean }> {
  checkOptions(options, runOptionNames, { sets: 'a list of eval sets to run, as [{ evalSet, config }]' });
  checkRunSettings(options);
  checkPositive({}, { lease: options.lease });
  const { repeats = 1, auto, scoring: judge = true, rerun } = options;
  if (auto !== undefined && !judge) {
    const message = 'how often a case runs can depend on its verdicts only where the run is scored';
    throw new CriteriaError({ code: 'USAGE', message });
  }
  // Agents change the working folder, some as soon as they are looked at.
  const workingFolder = options.folder === undefined ? '' : resolve(options.workingFolder ?? '.');
  const folder = options.folder === undefined ? undefined : resolve(workingFolder, options.folder);
  const sets = withUniqueIds(await planned(options));
  if (sets.length === 0) throw new CriteriaError({ code: 'EMPTY', message: 'there is no eval set to run' });
  if (folder !== undefined && options.journal !== undefined)
    throw new CriteriaError({ code: 'USAGE', message: 'a run is saved in a folder or in a journal, not both' });
  checkOneAgent(options);
  const variants = toVariants(options.agent);
  const plans = sets.map(({ plan }) => plan);
  await forEachVariant(variants, ({ agent }) => checkStubs(plans, agent, options.signal));
  const isNew = folder === undefined || !existsSync(layout.plan(folder));
  // A new run of an agent that cannot run is not even begun.
  if (isNew) await checkAgents(variants, options.signal);
  const redaction = redactionOf(options, sets);
  const kept =
    folder === undefined
      ? null
      : await keepRun({
          ...agentFacts(options, variants),
          redaction,
          sets,
          folder,
          workingFolder,
          repeats,
          auto,
          selection: options.selection,
          gates: options.gates?.names,
          judge,
          lease: leaseOptions(options, folder),
        });
  const journal = through(kept?.journal ?? options.journal ?? noJournal);
  const idle = isNew ? variants : await withNothingToDo(variants, { sets, repeats, auto, journal, rerun });
  if (idle.length < variants.length) {
    try {
      await checkAgents(
        variants.filter((variant) => !idle.includes(variant)),
        options.signal,
      );
    } catch (error) {
      await journal.close();
      throw error;
    }
  }
  const done = await execute({
    sets,
    variants,
    repeats,
    auto,
    judge,
    rerun,
    journal,
    folder: folder ?? null,
    isLasting: kept !== null || options.journal !== undefined,
    redaction,
    settings: kept === null ? options : withLoss(options, kept),
  });
  if (kept === null) {
    // Gates read the finished run back from its folder.
    const outcome = judge && done.finished ? outcomeOf({ summary: done.summary, unasked: hasGates(sets) }) : null;
    return { outcome: { ...done, folder: null, outcome }, isNew };
  }
  // The summary comes last: a scoring without one is continued, and then gets its outcome.
  const { outcome, problems } = await concludeRun(kept, done, { gates: options.gates, sets, redaction });
  if (done.finished) kept.finish(done.summary);
  const warnings = [...kept.warnings, ...inScores(done.warnings, kept, workingFolder), ...problems];
  return { outcome: { ...done, folder: kept.folder, outcome, warnings }, isNew };
}

const runOptionNames = {
  ...runSettingNames,
  sets: true,
  agent: true,
  agentPath: true,
  agentName: true,
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

async function planned({ sets, prices }: Pick<RunOptions, 'sets' | 'prices'>): Promise<readonly PlannedSet[]> {
  const all: PlannedSet[] = [];
  for (const set of sets) {
    if (!('plan' in set)) checkOptions(set, setOptionNames, requiredOfSet);
    all.push('plan' in set ? set : await planSetOptions(set, { prices }));
  }
  return all;
}

/** Several agents have a path each: one for all would be of none. */
function checkOneAgent({ agent, agentPath, agentName }: RunOptions): void {
  if (!isVariants(agent) || (agentPath ?? agentName) === undefined) return;
  const message = 'agentPath and agentName are for a single agent: with several, pass them with each variant';
  throw new CriteriaError({ code: 'USAGE', message });
}

/** The agents for which a run that goes on has nothing left to do. */
async function withNothingToDo(
  variants: readonly ReadyVariant[],
  left: Pick<RunOptions, 'rerun' | 'auto'> & {
    readonly sets: readonly PlannedSet[];
    readonly repeats: number;
    readonly journal: Journal;
  },
): Promise<readonly ReadyVariant[]> {
  const { sets, repeats, auto, journal, rerun } = left;
  const states = await statesByKey(journal.states());
  const isNeeded = ({ variant }: ReadyVariant) =>
    sets.some(({ plan: { evalSet } }) =>
      evalSet.evalCases.some((evalCase) => {
        const ids = { setId: evalSet.evalSetId, caseId: evalCase.evalId };
        const key = variant === undefined ? ids : { ...ids, variant };
        const known = Array.from({ length: repeats }, (_, repeat) => states.get(keyText({ ...key, repeat })));
        const how = { seen: seenHash(evalCase), hasAgent: true, rerun, mayStop: auto !== undefined };
        const plan = planCase(known, how);
        return typeof plan !== 'string' && plan.some(({ isInferred }) => !isInferred);
      }),
    );
  return variants.filter((variant) => !isNeeded(variant));
}

/** A folder for a new run inside a folder of runs. Nobody else has it. */
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
