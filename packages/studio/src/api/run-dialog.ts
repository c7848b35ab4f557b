import type { JsonSchema } from '@agent-criteria/core';
import type { Estimate } from '@agent-criteria/project/plan';
import type { Deleted } from './sets.ts';

export interface NewRun {
  /** The app that has the eval sets. */
  readonly app: string;
  /** The app whose agent runs. Not allowed with variants. Default: `app`. */
  readonly agent?: string | undefined;
  /** Default: every set of the app. */
  readonly sets?: readonly string[] | undefined;
  /** Case ids, in any of the sets. Default: all. */
  readonly cases?: readonly string[] | undefined;
  /** Only cases with one of these tags. */
  readonly tags?: readonly string[] | undefined;
  /** Only cases that did not pass in this run. */
  readonly failedIn?: string | undefined;
  readonly repeats?: number | undefined;
  readonly judgeModel?: string | undefined;
  /** Number of sessions open at once. */
  readonly concurrency?: number | undefined;
  /** Agents to run side by side; `'config'` means those in the project's config. Default: the app's agent. */
  readonly variants?: 'config' | readonly AskedVariant[] | undefined;
  /** `false` runs and records the agent without judging. Default `true`. */
  readonly judged?: boolean | undefined;
  /** Criteria with their thresholds. Allowed only for a single set. Default: the config next to each set. */
  readonly metrics?: readonly AskedMetric[] | undefined;
  /**
   * Type and options of the simulated user for scenarios. Allowed only with metrics. Default: the config next to the
   * set.
   */
  readonly userSimulator?: Readonly<Record<string, unknown>> | undefined;
}

/** What to run again of a run. Agents, eval sets, criteria and the judge are those of that run. */
export interface RunAgain {
  /** All cases of the run, or those that did not pass. Default `'all'`. */
  readonly scope?: 'all' | 'failed' | undefined;
  /** One case, by its ids in the run, instead of a scope. */
  readonly only?: { readonly set: string; readonly case: string } | undefined;
  /** Default: as often as in the run. */
  readonly repeats?: number | undefined;
}

/** One of several agents that run side by side. */
export interface AskedVariant {
  /** Name used in results. */
  readonly name: string;
  readonly app: string;
  /** Export of the agent's module. Default: the module's own agent. */
  readonly agentName?: string | undefined;
}

export interface AskedMetric {
  readonly metricName: string;
  /** `null` for an informational criterion. */
  readonly threshold: number | null;
  /** All of its options. Default: those in the config next to the set. */
  readonly criterion?: Readonly<Record<string, unknown>> | undefined;
}

/** The criteria and simulated user of a set. */
export interface RunConfig {
  readonly metrics: readonly AskedMetric[];
  readonly userSimulator?: Readonly<Record<string, unknown>> | undefined;
  /** Judge model whose needs to check; it is not saved. */
  readonly judgeModel?: string | undefined;
}

/** Choices for running a set, including those that its config makes. */
export interface RunChoices {
  readonly cases: number;
  /** Number of cases in which a simulated user leads the conversation. */
  readonly scenarios: number;
  /**
   * Path of the set's config, relative to the app folder, or `null` if there is none and ADK's default criteria apply.
   */
  readonly config: string | null;
  /** Version of that config, sent as `If-Match` when saving it. */
  readonly version: string;
  /** Side effects of saving on the file, in complete sentences. */
  readonly notes: readonly string[];
  /** Judge model in the project's settings. */
  readonly judgeModel: string | null;
  readonly criteria: readonly CriterionChoice[];
  readonly presets: readonly PresetChoice[];
  /** Types of simulated users that are installed. */
  readonly simulators: readonly SimulatorChoice[];
  /** `user_simulator_config` in the config, or `null` if it has none. */
  readonly userSimulator: Readonly<Record<string, unknown>> | null;
  /** Run settings with their defaults. */
  readonly settings: { readonly repeats: SettingChoice; readonly concurrency: SettingChoice };
  /** Names of the variants in the project's config. */
  readonly variants: readonly string[];
}

/** The choices after the config was saved. The previous file can be restored until the studio is closed. */
export interface SavedConfig extends RunChoices, Deleted {}

/** Criteria that the documentation recommends together, adapted to the set's cases. */
export interface PresetChoice {
  readonly name: string;
  /** When to choose this preset. */
  readonly description: string;
  readonly metrics: readonly AskedMetric[];
  /** Criteria of the preset that are not installed, each with the command that installs it. */
  readonly missing: readonly { readonly name: string; readonly install: string }[];
}

export interface SimulatorChoice {
  readonly type: string;
  /** Schema of the simulator's options. */
  readonly schema: JsonSchema;
}

export interface SettingChoice {
  readonly description: string;
  readonly value: number;
  readonly most: number | null;
}

/** Requirements that a run does not meet here, and the services that it would call. */
export interface RunNeeds {
  /** Needs of the simulated user. */
  readonly run: Needs;
  readonly criteria: Readonly<Record<string, Needs>>;
}

export interface Needs {
  /** Problems that prevent the run, each with a remedy. */
  readonly problems: readonly string[];
  /** Options or parts of cases, such as rubrics, that must be written before the run can start. */
  readonly unwritten: readonly string[];
  /** Models and services that would be called, with the source of their keys but never the keys themselves. */
  readonly asks: readonly string[];
}

export interface CriterionChoice {
  readonly name: string;
  readonly description: string;
  readonly package: string;
  readonly range: { readonly min: number; readonly max: number | null; readonly better: 'higher' | 'lower' };
  /** `false` for an informational criterion, which takes no threshold. */
  readonly decides: boolean;
  /** Whether it calls a model. */
  readonly judged: boolean;
  /** Schema of its options. */
  readonly schema: JsonSchema;
  /** Threshold when there is no config, or `null` if the criterion is not used then. */
  readonly default: number | null;
  /** Threshold and options in the set's config, or `null` if the config does not use the criterion. */
  readonly chosen: { readonly threshold: number | null; readonly options: Readonly<Record<string, unknown>> } | null;
  /** Number of cases that it can judge, and why it cannot judge the others. */
  readonly fit: { readonly cases: number; readonly reason: string | null };
}

/** Estimated model calls of a run. */
export interface RunEstimate extends Estimate {
  readonly cases: number;
  readonly repeats: number;
  /** Number of agents that run side by side. */
  readonly variants: number;
  readonly warnings: readonly string[];
}
