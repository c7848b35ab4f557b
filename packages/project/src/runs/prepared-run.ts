import type { Gates } from '@agent-criteria/analysis';
import type { Agent, Problem } from '@agent-criteria/core';
import type { CaseSelection, RunInference } from '@agent-criteria/results';
import type { OpenProjectOptions, Project } from '../config/open-project.ts';
import type { PlannedRepeats } from '../plan/auto-repeats.ts';
import type { CaseFilter } from '../plan/case-filter.ts';
import type { PreparedSet } from '../plan/plan-sets.ts';
import type { RecordedScores } from './recorded/read-recorded-result.ts';

/** The source of a run's inferences. `run` is a run's folder, id or id prefix. Default: the last run. */
export type RunSource =
  /** Runs the agent on eval sets. */
  | { readonly kind: 'new' }
  /** Continues an existing run under the same plan, running missing units and repeating errors. */
  | { readonly kind: 'resume'; readonly run?: string | undefined }
  /** Judges a run by the current references, rubrics and criteria, without running an agent. */
  | { readonly kind: 'rescore'; readonly run?: string | undefined }
  /**
   * Judges an ADK result file in a separate run, by the criteria that it records or by a config. A metric that cannot
   * judge these cases, or that has no criterion here, is left out, and the reason is given.
   */
  | { readonly kind: 'recorded'; readonly file: string }
  /**
   * Judges the answers of a run several times by the criteria that make calls, without the cache, to be executed in a
   * temporary folder. `RUN#NAME` is one of the variants of a run.
   */
  | { readonly kind: 'noise'; readonly run?: string | undefined; readonly times: number };

export interface PrepareRunOptions extends OpenProjectOptions {
  /** The source of the inferences. Default: a new run. */
  readonly source?: RunSource | undefined;
  /**
   * The module, folder or URL of the agent for a new run. Default: the variants in the settings, or in the config found
   * from the working folder, which run side by side.
   */
  readonly agent?: string | undefined;
  /** The name of the agent to choose from the module. Default: the module's agent. */
  readonly agentName?: string | undefined;
  /**
   * The eval sets for a new run: files, folders, patterns, or ids of the agent's sets, each optionally with cases after
   * a colon, to run only those. Default: all in the agent's folder.
   */
  readonly evalSets?: readonly string[] | undefined;
  /** Only the cases with these ids, from any set that has them. Default: all. */
  readonly cases?: readonly string[] | undefined;
  /**
   * Of these, only the cases that match. `failedIn: 'last'` is the last judged run of this agent, or the run that is
   * judged again. Default: all.
   */
  readonly filter?: CaseFilter | undefined;
  /**
   * The file of a config that judges every set. Default: the one next to each set, or the project's; for an earlier
   * run, the config that judged the set.
   */
  readonly config?: string | undefined;
  /**
   * Gates given as flags, in addition to those in the configs. `repeats: 'auto'` needs `casePassRate`. Default: none.
   */
  readonly gates?: Gates | undefined;
  /** Whether only to run and record the agent, without judging. Default: both. */
  readonly only?: 'inferences' | undefined;
}

/** Everything that `executeRun` needs. Nothing has run yet. */
export interface PreparedRun extends PlannedRepeats {
  readonly project: Project;
  readonly sets: readonly PreparedSet[];
  /** The agents that run side by side, or whose inferences are judged. There is at least one. */
  readonly agents: readonly PreparedAgent[];
  readonly source: PreparedSource;
  /** The requested cases, or `undefined` for all cases, or all that the run has. */
  readonly selection: CaseSelection | undefined;
  /** Whether the run is judged. If `false`, the agent is only run and recorded. */
  readonly judged: boolean;
  /** Warnings about configs and sets. */
  readonly warnings: readonly Problem[];
}

/** One agent of a run. */
export interface PreparedAgent {
  /** Its variant name, or `undefined` if it has none. */
  readonly variant: string | undefined;
  /** The agent, or `null` if it does not run because its inferences are judged. */
  readonly agent: FoundAgent | null;
}

/** An agent whose module was found. It is imported last, because importing runs code. */
export interface FoundAgent {
  /** Its module or its URL. */
  readonly file: string;
  /** The name by which it is chosen from the module's agents, if one was given. */
  readonly agentName: string | undefined;
  /** Loads the agent. @throws CriteriaError if the module does not load, or exports no agent. */
  load(): Promise<Agent>;
}

/** The opened source of a run. */
export type PreparedSource =
  | { readonly kind: 'new' }
  /** An existing run. @param folder The folder of the run that continues, or is judged again. */
  | { readonly kind: 'resume' | 'rescore'; readonly folder: string }
  | { readonly kind: 'recorded'; readonly recorded: RecordedScores }
  | {
      readonly kind: 'noise';
      /** The id of the run whose answers are judged. */
      readonly run: string;
      readonly agent: string;
      /** Each conversation `times` times: repeats 0 to `times` - 1 all come from the agent's first repeat. */
      readonly inferences: readonly RunInference[];
      readonly conversations: number;
    };

/** Returns the folder of a run that continues or is judged again, or `undefined` if the run is new. */
export function folderOfSource(source: PreparedSource): string | undefined {
  return source.kind === 'resume' || source.kind === 'rescore' ? source.folder : undefined;
}

/** Returns the names of the variants, or `undefined` if the agent has none. */
export function variantsOf({ agents }: Pick<PreparedRun, 'agents'>): readonly string[] | undefined {
  const names = agents.flatMap(({ variant }) => (variant === undefined ? [] : [variant]));
  return names.length === 0 ? undefined : names;
}
