import type { Gates } from '@agent-criteria/analysis';
import type { Agent, Problem } from '@agent-criteria/core';
import type { CaseSelection, RunInference } from '@agent-criteria/results';
import type { OpenProjectOptions, Project } from '../config/open-project.ts';
import type { PlannedRepeats } from '../plan/auto-repeats.ts';
import type { CaseFilter } from '../plan/case-filter.ts';
import type { PreparedSet } from '../plan/plan-sets.ts';
import type { RecordedScores } from './recorded/read-recorded-result.ts';

/** Where the inferences of a run come from. A `run` is its folder, its id or the beginning of its id; default: the last run. */
export type RunSource =
  /** The agent runs on eval sets. */
  | { readonly kind: 'new' }
  /** An existing run goes on with the same plan: missing units run, and errors run again. */
  | { readonly kind: 'resume'; readonly run?: string | undefined }
  /** A run is judged by the current references, rubrics and criteria. No agent runs. */
  | { readonly kind: 'rescore'; readonly run?: string | undefined }
  /**
   * A result file of ADK is judged in a run of its own, by the criteria that it records or by a config. A metric that cannot judge
   * these cases, or that has no criterion here, is left out with its reason.
   */
  | { readonly kind: 'recorded'; readonly file: string }
  /**
   * The answers of a run are judged several times by the criteria that make calls, without the cache: to be executed in a folder that
   * is thrown away. `RUN#NAME` is one of the variants of a run.
   */
  | { readonly kind: 'noise'; readonly run?: string | undefined; readonly times: number };

export interface PrepareRunOptions extends OpenProjectOptions {
  /** Default: a new run. */
  readonly source?: RunSource | undefined;
  /**
   * The module, folder or URL of the agent of a new run. Default: the variants of the settings, or of the config that is found from
   * the working folder, which run side by side.
   */
  readonly agent?: string | undefined;
  /** The agent of this name in the module. Default: the module's agent. */
  readonly agentName?: string | undefined;
  /**
   * The eval sets of a new run: files, folders, patterns, or ids of sets of the agent, each with cases after a colon if only those are to run.
   * Default: all in the agent's folder.
   */
  readonly evalSets?: readonly string[] | undefined;
  /** Only the cases with these ids, of whichever set has them. Default: all. */
  readonly cases?: readonly string[] | undefined;
  /** Of these, only the cases that fit. `failedIn: 'last'` is the last judged run of this agent, or the run that is judged again. Default: all. */
  readonly filter?: CaseFilter | undefined;
  /** The file of a config that judges every set. Default: the one next to each set or the project's; for an earlier run, the one that judged the set. */
  readonly config?: string | undefined;
  /** Gates of flags, in addition to those of the configs: `repeats: 'auto'` needs `casePassRate`. Default: none. */
  readonly gates?: Gates | undefined;
  /** Runs and records the agent without judging. Default: both. */
  readonly only?: 'inferences' | undefined;
}

/** Everything that `executeRun` needs; nothing has run yet. */
export interface PreparedRun extends PlannedRepeats {
  readonly project: Project;
  readonly sets: readonly PreparedSet[];
  /** The agents that run side by side, or whose inferences are judged; at least one. */
  readonly agents: readonly PreparedAgent[];
  readonly source: PreparedSource;
  /** The cases that were asked for; `undefined`: all, or all that the run has. */
  readonly selection: CaseSelection | undefined;
  /** `false`: the agent is run and recorded, and nothing is judged. */
  readonly judged: boolean;
  /** Warnings of configs and sets. */
  readonly warnings: readonly Problem[];
}

/** One agent of a run. */
export interface PreparedAgent {
  /** Its name among several; `undefined` if it is the only one. */
  readonly variant: string | undefined;
  /** `null`: it does not run, and its inferences are judged. */
  readonly agent: FoundAgent | null;
}

/** An agent whose module was found. It is imported last, because importing runs code. */
export interface FoundAgent {
  /** Its module or its URL. */
  readonly file: string;
  /** The name that chooses it from those of its module, if it was given. */
  readonly agentName: string | undefined;
  /** @throws CriteriaError when the module does not load, or exports no agent. */
  load(): Promise<Agent>;
}

/** The source of a run, opened. */
export type PreparedSource =
  | { readonly kind: 'new' }
  /** @param folder The folder of the run that goes on, or is judged again. */
  | { readonly kind: 'resume' | 'rescore'; readonly folder: string }
  | { readonly kind: 'recorded'; readonly recorded: RecordedScores }
  | {
      readonly kind: 'noise';
      /** The id of the run whose answers are judged, and its agent. */
      readonly run: string;
      readonly agent: string;
      /** Each conversation `times` times: repeats 0 to `times` - 1 are of the agent's first repeat. */
      readonly inferences: readonly RunInference[];
      readonly conversations: number;
    };

/** The folder of a run that goes on or is judged again; `undefined`: the run is new. */
export function folderOfSource(source: PreparedSource): string | undefined {
  return source.kind === 'resume' || source.kind === 'rescore' ? source.folder : undefined;
}

/** The names of agents that run side by side; `undefined`: there is one. */
export function variantsOf({ agents }: Pick<PreparedRun, 'agents'>): readonly string[] | undefined {
  const names = agents.flatMap(({ variant }) => (variant === undefined ? [] : [variant]));
  return names.length === 0 ? undefined : names;
}
