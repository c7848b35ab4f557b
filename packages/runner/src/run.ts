import { existsSync, mkdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { type Agent, CriteriaError, type Problem } from '@agent-criteria/core';
import { type CallPolicies, type CaseResult, type Summary, summarise, type Verdict } from '@agent-criteria/core/host';
import type { Prices, RunInference } from '@agent-criteria/results';
import { wideController } from './abort.ts';
import { type AgentInput, toAgent } from './agent-input.ts';
import { checkAgent } from './check-agent.ts';
import { checkStubs } from './check-stubs.ts';
import type { RunWatcher } from './events.ts';
import type { Journal } from './journal.ts';
import { timeNow } from './own-globals.ts';
import { countCases, type PlannedSet, withUniqueIds } from './planned-set.ts';
import type { KeepCall } from './record-calls.ts';
import { openBlobs } from './run-folder/blobs.ts';
import { runChanges, scoringChanges } from './run-folder/changes.ts';
import {
  describeRun,
  makeFolder,
  newRunId,
  type RunPlans,
  readRunPlan,
  readScoringPlan,
  writeNewRun,
  writeScoringPlan,
} from './run-folder/create-run.ts';
import { type FolderJournal, openFolderJournal, type Redact, type Rerun } from './run-folder/folder-journal.ts';
import { layout } from './run-folder/layout.ts';
import { listScorings, newScoring } from './run-folder/list-scorings.ts';
import { lockFolder } from './run-folder/lock.ts';
import type { RunPlan } from './run-folder/plan-file.ts';
import { writeSummary } from './run-folder/summary-file.ts';
import { type NewEvent, runUnits } from './run-units.ts';
import { checkRunSettings } from './settings.ts';

/** How a run goes, whatever it is a run of. */
export interface RunSettings {
  /** How many sessions are open at once (default 4), and how many calls of criteria run at once (default 16). */
  readonly concurrency?: { readonly agents?: number | undefined; readonly scoring?: number | undefined } | undefined;
  /** Milliseconds that one turn may take. Default 300,000. */
  readonly turnTimeout?: number | undefined;
  /** Milliseconds that one case may take, each repeat by itself. Default: no limit. */
  readonly caseTimeout?: number | undefined;
  /** Milliseconds that the whole may take; what is left then is unfinished. Default: no limit. */
  readonly runTimeout?: number | undefined;
  /** With a folder: changes everything before it is written, and before it is scored: scores are of what can be read again. */
  readonly redact?: Redact | undefined;
  /**
   * What stands before models and paid services: cache, recordings, budget, retries, limits, as
   * `callPolicies` of @agent-criteria/models makes it. Default: only `concurrency.scoring` limits calls. Whoever made it closes it.
   */
  readonly policies?: CallPolicies | undefined;
  /** What models cost, so that recorded calls say what they did cost. */
  readonly prices?: Prices | undefined;
  /** Aborting ends open sessions and starts no more; what was done is kept. */
  readonly signal?: AbortSignal | undefined;
  /** Aborting starts no more; open sessions come to their end, and are scored unless they would have to wait for that. */
  readonly drain?: AbortSignal | undefined;
  readonly onEvent?: RunWatcher | undefined;
}

export interface RunOptions extends RunSettings {
  /** What to run and how it is judged. Two sets of one id get different ones: "home", "home (2)". */
  readonly sets: readonly PlannedSet[];
  readonly agent: AgentInput;
  /** The agent's module, when `agent` is what it exports: a resumed run tells whether it has changed. */
  readonly agentPath?: string | undefined;
  /** The name by which `agent` was chosen among those of its module, if it was: a resumed run needs it. */
  readonly agentName?: string | undefined;
  /**
   * Where everything is kept, so that the run survives this process: a new folder, or that of the same run, which is
   * then continued. Default: nothing is kept, and only the summary remains.
   */
  readonly folder?: string | undefined;
  /** How often each case runs, each time in a session of its own. Default 1. */
  readonly repeats?: number | undefined;
  /** In a folder that is continued: what is done again although it is finished. Default: nothing. */
  readonly rerun?: Rerun | undefined;
  /** `false`: run the agent only; the run can be scored later. Default true. */
  readonly scoring?: boolean | undefined;
}

/** What a run came to. The cases are in its folder: read them with `openRun`. */
export interface RunOutcome {
  /** Over all sets. A case that the run did not come to is an error. */
  readonly summary: Summary;
  readonly sets: readonly { readonly id: string; readonly summary: Summary }[];
  readonly folder: string | null;
  /** Whether everything was done: an interrupted run, or one that could not be written, can be resumed. */
  readonly finished: boolean;
  /** What ended it early, if something did. */
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/**
 * Runs an agent on eval sets and scores what it does, in memory that does not grow with the number of cases. With a
 * folder, every unit is kept as soon as it is done: a run that was killed goes on where it was.
 *
 * @throws CriteriaError when something is wrong with what was asked, before the agent runs: what the agent says of itself
 *   (`Agent.check`); RUN_CHANGED when the folder
 *   holds a run of something else, naming what is different; RUN_LOCKED when another process writes it. Never for what
 *   the agent or a criterion does, nor for a full disk, which ends the run early.
 */
export async function run(options: RunOptions): Promise<RunOutcome> {
  return runSets(options, {});
}

/** What somebody who stays in memory wants of a run. */
export interface RunHooks {
  onCase?(result: CaseResult): void;
  onInference?(recorded: RunInference): void;
  readonly onCall?: KeepCall | undefined;
}

export async function runSets(options: RunOptions, hooks: RunHooks): Promise<RunOutcome> {
  checkRunSettings(options);
  const { repeats = 1, turnTimeout = 300_000, caseTimeout, scoring = true } = options;
  const { agents = 4, scoring: calls = 16 } = options.concurrency ?? {};
  const sets = withUniqueIds(options.sets);
  if (sets.length === 0) throw new CriteriaError({ code: 'EMPTY', message: 'there is no eval set to run' });
  const agent = await toAgent(options.agent);
  await checkStubs(
    sets.map(({ plan }) => plan),
    agent,
    options.signal,
  );
  const { folder } = options;
  const goesOn = folder !== undefined && existsSync(layout.plan(folder));
  // A new run of an agent that cannot run is not even begun.
  if (!goesOn) await checkAgent(agent, options.signal);
  const kept = folder === undefined ? null : keepRun({ ...options, sets, folder, agent, repeats });
  try {
    if (goesOn && kept !== null && needsAgent(sets, repeats, kept.journal)) await checkAgent(agent, options.signal);
    return await execute(sets, agent, kept, hooks, {
      ...options,
      ...{ repeats, turnTimeout, caseTimeout: caseTimeout ?? Number.POSITIVE_INFINITY, agents, calls, judge: scoring },
    });
  } finally {
    kept?.unlock();
  }
}

/** Whether a run that goes on has anything left for its agent to do. */
function needsAgent(sets: readonly PlannedSet[], repeats: number, journal: Journal): boolean {
  return sets.some(({ plan: { evalSet } }) =>
    evalSet.evalCases.some((evalCase) => {
      const setId = evalSet.evalSetId;
      if (journal.finished(setId, evalCase) !== null) return false;
      return Array.from({ length: repeats }).some(
        (_, repeat) => journal.known({ setId, case: evalCase, repeat })?.inferred !== true,
      );
    }),
  );
}

interface ExecuteOptions extends RunSettings {
  readonly repeats: number;
  readonly turnTimeout: number;
  readonly caseTimeout: number;
  readonly agents: number;
  readonly calls: number;
  readonly judge: boolean;
}

/** Runs what is left and sums up. `agent` is `null` for a run that is only scored. */
export async function execute(
  sets: readonly PlannedSet[],
  agent: Agent | null,
  kept: KeptRun | null,
  hooks: RunHooks,
  options: ExecuteOptions,
): Promise<RunOutcome> {
  const { repeats, turnTimeout, caseTimeout, agents, calls, judge, signal, drain, runTimeout } = options;
  const verdicts = new Map<string, { readonly verdict: Verdict }[]>(
    sets.map(({ plan }) => [plan.evalSet.evalSetId, []]),
  );
  const total = countCases(sets);
  const { onEvent } = options;
  const emit = (event: NewEvent): void => {
    if (onEvent === undefined) return;
    try {
      const told: unknown = onEvent({ at: timeNow(), ...event });
      if (told instanceof Promise) told.catch(() => undefined);
    } catch {
      // Whoever watches cannot break what is watched.
    }
  };
  const problems: Problem[] = [];
  const stop = stopper(signal, runTimeout);
  emit({ type: 'run-started', folder: kept?.folder ?? null, units: total * repeats, repeats });
  let complete = false;
  try {
    complete = await runUnits({
      ...{ sets, agent, repeats, agents, scoring: calls, turnTimeout, caseTimeout, judge, drain, emit },
      signal: stop.signal,
      journal: kept?.journal ?? null,
      policies: options.policies,
      onCall: hooks.onCall,
      onCut(error) {
        // Every call that was to come fails alike.
        for (const problem of error.problems) {
          if (!problems.some(({ message }) => message === problem.message)) problems.push(problem);
        }
      },
      onCase(setId, finished) {
        const verdict = typeof finished === 'string' ? finished : finished.verdict;
        verdicts.get(setId)?.push(ofVerdict[verdict]);
        if (typeof finished !== 'string') hooks.onCase?.(finished);
      },
      onInference: hooks.onInference,
    });
    if (stop.timedOut() && !complete)
      problems.push({ code: 'TIMEOUT', message: `the run took longer than ${runTimeout} ms` });
  } catch (error) {
    if (!CriteriaError.is(error)) throw error;
    problems.push(...error.problems);
  } finally {
    stop.end();
    problems.push(...closing(kept));
  }
  const done = [...verdicts.values()].reduce((sum, list) => sum + list.length, 0);
  const bySet = sets.map(({ plan }) => {
    const { evalSetId, evalCases } = plan.evalSet;
    const own = verdicts.get(evalSetId) ?? [];
    const missing = Array.from({ length: evalCases.length - own.length }, () => ofVerdict.error);
    return { id: evalSetId, all: [...own, ...missing] };
  });
  const summary = summaryOf(
    bySet.flatMap(({ all }) => all),
    problems,
  );
  const finished = problems.length === 0 && (judge ? done === total : complete);
  if (finished && judge) kept?.finish(summary);
  emit({ type: 'run-finished', summary, finished });
  return {
    ...{ summary, finished, problems, warnings: kept?.warnings ?? [] },
    sets: bySet.map(({ id, all }) => ({ id, summary: summarise(all) })),
    folder: kept?.folder ?? null,
  };
}

/** A run that something ended early, or that may not be kept, has not passed, whatever its cases say. */
export function summaryOf(cases: readonly { readonly verdict: Verdict }[], problems: readonly Problem[]): Summary {
  const summary = summarise(cases);
  return problems.length > 0 && summary.exitCode === 0 ? { ...summary, verdict: 'error', exitCode: 3 } : summary;
}

/** What goes wrong when the last lines are made sure of. */
function closing(kept: KeptRun | null): readonly Problem[] {
  try {
    kept?.journal.close();
    return [];
  } catch (error) {
    return CriteriaError.is(error) ? error.problems : [{ code: 'WRITE_FAILED', message: String(error) }];
  }
}

/** One object for each verdict: a hundred thousand cases are a list of these. */
const ofVerdict: Readonly<Record<Verdict, { readonly verdict: Verdict }>> = {
  passed: { verdict: 'passed' },
  failed: { verdict: 'failed' },
  'not-evaluated': { verdict: 'not-evaluated' },
  error: { verdict: 'error' },
  informational: { verdict: 'informational' },
};

/** A signal that aborts with the caller's, and when the run's time is over. */
function stopper(signal: AbortSignal | undefined, runTimeout: number | undefined) {
  const controller = wideController();
  let late = false;
  const abort = (): void => controller.abort(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort, { once: true });
  const timer =
    runTimeout === undefined
      ? undefined
      : setTimeout(
          () => {
            late = true;
            controller.abort(
              new CriteriaError({ code: 'TIMEOUT', message: `the run took longer than ${runTimeout} ms` }),
            );
          },
          Math.min(runTimeout, 2 ** 31 - 1),
        );
  return {
    signal: controller.signal,
    timedOut: () => late,
    end() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    },
  };
}

/** A run whose folder this process writes. */
export interface KeptRun {
  readonly folder: string;
  readonly journal: FolderJournal;
  readonly warnings: readonly Problem[];
  finish(summary: Summary): void;
  unlock(): void;
}

interface KeepRunOptions extends RunOptions {
  readonly sets: readonly PlannedSet[];
  readonly folder: string;
  readonly agent: Agent;
  readonly repeats: number;
}

/** Begins or continues the run of a folder. */
function keepRun(options: KeepRunOptions): KeptRun {
  const { folder, sets, agent, agentPath, agentName, repeats, redact, prices, rerun, scoring = true } = options;
  const path = agentPath ?? (typeof options.agent === 'string' ? options.agent : null);
  makeFolder(folder);
  const unlock = lockFolder(folder);
  try {
    const now = timeNow();
    const before = existsSync(layout.plan(folder)) ? readRunPlan(folder) : null;
    // A folder of runs has one for each, under its id.
    const id = before?.id ?? basename(resolve(folder));
    const plans = describeRun({ sets, agent: { name: agent.name, path, agentName }, repeats, id, now });
    const blobs = openBlobs(folder);
    const units = countCases(sets) * repeats;
    let number = 1;
    let warnings: Problem[] = [];
    if (before === null) {
      writeNewRun(folder, plans, scoring, blobs, redact);
    } else {
      ({ number, warnings } = continueRun(folder, before, plans, scoring));
      if (scoring && number === 0) {
        number = newScoring(folder);
        const contents = before.sets.map((set) => set.content);
        writeScoringPlan(folder, { ...plans.scoring, scoring: number }, contents);
      }
    }
    const journal = openFolderJournal({
      ...{ folder, scoring: scoring ? number : null, repeats, blobs },
      ...{ redact, prices, rerun },
    });
    return { folder, journal, warnings, unlock, finish: (summary) => writeSummary(folder, number, summary, units) };
  } catch (error) {
    unlock();
    throw error;
  }
}

/** Which scoring goes on (0: none yet). @throws CriteriaError RUN_CHANGED, naming everything that is different. */
function continueRun(
  folder: string,
  before: RunPlan,
  now: RunPlans,
  judge: boolean,
): { number: number; warnings: Problem[] } {
  const number = listScorings(folder).at(-1) ?? 0;
  const changes = [
    ...runChanges(before, now.run),
    ...(judge && number > 0 ? scoringChanges(readScoringPlan(folder, number), now.scoring) : []),
  ].filter(({ message }, index, all) => all.findIndex((other) => other.message === message) === index);
  if (changes.length > 0) {
    const advice = 'begin a new run, or score this one by the new config';
    throw new CriteriaError(
      changes.map((problem, index) =>
        index === 0 ? { ...problem, message: `${problem.message}; ${advice}` } : problem,
      ),
    );
  }
  const { hash, path, agentName } = before.agent;
  const changed = (hash !== null && now.run.agent.hash !== hash) || agentName !== now.run.agent.agentName;
  const message = 'the agent has changed since this run began: inferences from before and after stand side by side';
  const warning: Problem = { code: 'RUN_CHANGED', message, ...(path === null ? {} : { file: path }) };
  return { number, warnings: changed ? [warning] : [] };
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
