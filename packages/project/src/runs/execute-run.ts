import { rmdir } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { chdir } from 'node:process';
import { toMilliseconds } from '@agent-criteria/calls';
import { type Agent, CriteriaError, type Problem } from '@agent-criteria/core';
import type { CallEvent, Spent } from '@agent-criteria/models';
import type { RunCommit } from '@agent-criteria/results';
import {
  forEachVariant,
  type GatesOfRun,
  newRunFolder,
  type Rerun,
  type RunOutcome,
  type RunSettings,
  type RunWatcher,
  run,
  saveInferences,
  scoreRun,
} from '@agent-criteria/runner';
import { withProjectSettings } from '../config/project-config.ts';
import type { FileHashes } from '../files/file-hashes.ts';
import { autoRepeats, caseCount } from '../plan/auto-repeats.ts';
import { type OpenedPolicies, openPolicies } from '../plan/open-policies.ts';
import { commitOfAgents } from './commit-of.ts';
import { type FoundAgent, folderOfSource, type PreparedRun, type PreparedSource } from './prepared-run.ts';
import { importedFiles, recordFiles } from './run-code.ts';

export interface ExecuteRunOptions {
  /** Loads an agent of a new run, for example in a process of its own. Default: it is imported into this process. */
  readonly loadAgent?: ((found: FoundAgent) => Promise<Agent>) | undefined;
  /**
   * Returns the files that the agents have loaded so far, where `loadAgent` knows them. Default: their modules, with what these import
   * by a relative path.
   */
  readonly loadedFiles?: (() => FileHashes) | undefined;
  /** The cases of a resumed run to run again. Default: those that ended in an error. */
  readonly rerun?: Rerun | undefined;
  /** The gates for the run, if it is judged. Default: none. */
  readonly gates?: GatesOfRun | undefined;
  /** A name for a new run. Default: none. */
  readonly name?: string | undefined;
  /** The folder for a new run: an empty one, or one to create. Default: a new one in the project's folder for runs. */
  readonly folder?: string | undefined;
  /** Aborting it ends open sessions and starts no more. Results so far are saved. */
  readonly signal?: AbortSignal | undefined;
  /** Aborting it starts nothing new, but lets open sessions finish. */
  readonly drain?: AbortSignal | undefined;
  /** Called when everything is loaded but nothing has run yet. */
  readonly onReady?: ((ready: ReadyRun) => void) | undefined;
  /** Called for every event of the run. */
  readonly onEvent?: RunWatcher | undefined;
  /** Called for every call to a model, including the effects of retries, limits, cache and budget. */
  readonly onCall?: ((event: CallEvent) => void) | undefined;
  /** Called for a failure of a model that no retry can fix, once per kind. */
  readonly onDead?: ((problem: Problem) => void) | undefined;
}

export interface ReadyRun {
  readonly folder: string;
  /** The agent, or the first of several, or `null` if recorded inferences are judged. */
  readonly agent: Agent | null;
  /** The recording that all models' answers come from, or `null` if models are called or not needed. */
  readonly recorded: OpenedPolicies['recorded'];
  /** The maximum duration of a turn in milliseconds, or `undefined` for the default. */
  readonly turnTimeout: number | undefined;
}

export interface ExecutedRun {
  readonly folder: string;
  readonly outcome: RunOutcome;
  /** The calls, tokens and cost that count against the budget, or `null` if the run makes no calls. */
  readonly spent: Spent | null;
  /** The warnings on closing the cache, the recording and the budget. */
  readonly atClosing: readonly Problem[];
  /** The error on closing the cache, the recording and the budget, some of which may then not have been saved. */
  readonly closingError: unknown;
}

/**
 * Executes a prepared run: loads the agent, opens the call policies, creates the folder, runs and judges, and closes.
 * Read the folder with `openRun`. If the run is rejected, a newly created folder is removed again.
 *
 * @throws CriteriaError if the agent does not load, a recording or the budget is not usable, or the folder cannot be
 *   created.
 */
export async function executeRun(prepared: PreparedRun, options: ExecuteRunOptions = {}): Promise<ExecutedRun> {
  const { sets, project, source } = prepared;
  const existing = folderOfSource(source);
  const { signal, drain, onEvent, onCall, onDead, onReady, loadedFiles } = options;
  // The agent may change the working folder.
  const workingFolder = process.cwd();
  // Git answers while the agent loads.
  const commit = source.kind === 'new' ? commitOfAgents(pathsOf(prepared), project.runsFolder) : undefined;
  let folder: string | undefined;
  let policies: OpenedPolicies | undefined;
  let done = false;
  try {
    const { config, cacheFolder } = project;
    // By default, answers are cached next to the runs.
    const cache = config.settings.cache === undefined ? cacheFolder : undefined;
    policies = await openPolicies(
      sets.map(({ plan }) => plan),
      config,
      { cache },
      { onCall, onDead },
    );
    // Hashed before they are loaded, and before an agent can change the working folder.
    const imported = loadedFiles === undefined ? await importedFiles(pathsOf(prepared)) : null;
    const agents = await loadAgents(prepared, workingFolder, options.loadAgent);
    const agent = agents[0]?.agent ?? null;
    folder = existing ?? options.folder ?? newFolder(project.runsFolder, workingFolder);
    const how = withProjectSettings(
      { policies, signal, drain, onEvent, alsoMasked: project.environment.inFiles },
      project.config,
    );
    onReady?.({
      folder,
      agent,
      recorded: policies?.recorded ?? null,
      turnTimeout: how.turnTimeout && toMilliseconds(how.turnTimeout),
    });
    const outcome = await start(prepared, agents, { folder, workingFolder, commit: await commit }, how, options);
    done = true;
    const files = imported ?? loadedFiles?.();
    const whole = resolve(workingFolder, folder);
    if (files !== undefined) attempt(() => recordFiles(whole, imported === null ? 'loaded' : 'imported', files));
    const closing = policies;
    policies = undefined;
    const spent = closing?.spent() ?? null;
    try {
      const atClosing = (await closing?.close()) ?? [];
      return { folder, outcome, spent, atClosing, closingError: undefined };
    } catch (error) {
      return { folder, outcome, spent, atClosing: [], closingError: error };
    }
  } finally {
    await policies?.close();
    const isOurs = existing === undefined && options.folder === undefined;
    // If the run was rejected, the folder is empty.
    if (isOurs && folder !== undefined && !done) await rmdir(resolve(workingFolder, folder)).catch(() => undefined);
  }
}

/** Returns the paths of the agents that run. */
function pathsOf({ agents }: PreparedRun): readonly string[] {
  return agents.flatMap(({ agent }) => (agent === null ? [] : [agent.file]));
}

/** Does work that a run can do without. */
function attempt(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!CriteriaError.is(error)) throw error;
  }
}

/** Creates a new folder. Its path is relative if the path of the folder for runs is relative. */
function newFolder(runsFolder: string, workingFolder: string): string {
  try {
    return join(runsFolder, basename(newRunFolder(resolve(workingFolder, runsFolder))));
  } catch (error) {
    const message = `runs cannot be saved here: ${(error as Error).message}; choose another folder with --runs-folder, or use --no-run-folder`;
    throw new CriteriaError({ code: 'WRITE_FAILED', file: runsFolder, message }, { cause: error });
  }
}

async function start(
  { sets, selection, repeats, auto: stops, judged, source }: PreparedRun,
  agents: readonly LoadedAgent[],
  places: { readonly folder: string; readonly workingFolder: string; readonly commit: RunCommit | undefined },
  how: RunSettings,
  { rerun, gates, name }: Pick<ExecuteRunOptions, 'rerun' | 'gates' | 'name'>,
): Promise<RunOutcome> {
  const { folder } = places;
  const kept = inferencesOf(source);
  if (kept !== null) await saveInferences({ ...how, ...kept, sets, folder, repeats });
  const [first] = agents;
  if (first === undefined) return scoreRun({ ...how, sets, selection, folder, gates });
  const { variant, ...alone } = first;
  const auto = stops && autoRepeats(stops.casePassRate, caseCount(sets));
  return run({
    ...how,
    ...places,
    name,
    sets,
    selection,
    repeats,
    auto,
    rerun,
    scoring: judged,
    gates,
    ...(variant === undefined
      ? { agent: alone }
      : { variants: Object.fromEntries(agents.map(({ variant: name, ...one }) => [name ?? '', one])) }),
  });
}

/** Returns the inferences that a new run judges instead of running an agent, or `null` if there are none. */
function inferencesOf(source: PreparedSource) {
  if (source.kind === 'noise') return { agent: source.agent, inferences: source.inferences };
  if (source.kind !== 'recorded') return null;
  const { id, inferences } = source.recorded.result;
  return { agent: id, inferences };
}

/** An agent in the form that the runner takes. */
interface LoadedAgent {
  readonly variant: string | undefined;
  readonly agent: Agent;
  readonly agentPath: string;
  readonly agentName: string | undefined;
}

/** Loads the agents. @throws CriteriaError with the mistakes of all agents that do not load. */
async function loadAgents(
  { agents }: PreparedRun,
  workingFolder: string,
  load = (found: FoundAgent) => found.load(),
): Promise<readonly LoadedAgent[]> {
  const loaded: LoadedAgent[] = [];
  await forEachVariant(agents, async ({ variant, agent: found }) => {
    if (found === null) return;
    // The previous agent may have changed it, and paths are relative.
    if (loaded.length > 0) chdir(workingFolder);
    const { file: agentPath, agentName } = found;
    loaded.push({ variant, agent: await load(found), agentPath, agentName });
  });
  return loaded;
}
