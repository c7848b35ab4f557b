import type { EvalCase, EvalSet } from '@agent-criteria/formats';
import type { Registry } from '../registry/registry.ts';
import type { ModelLookup } from './plan.ts';
import type { PluginAdvice } from './plugin-advice.ts';

/** What a config and an eval set are resolved with. */
export interface ResolveOptions {
  readonly evalSet: EvalSet;
  /**
   * All cases of the set, where `evalSet` has only some: a criterion that applies to none of these, but to others, was no
   * mistake. Default: those of `evalSet`.
   */
  readonly chosenFrom?: readonly EvalCase[] | undefined;
  /** A config as read from a file (any spelling) or from `defineEvalConfig`. Absent or `null`: ADK's default criteria. */
  readonly config?: unknown;
  /** The config's file, for messages. */
  readonly file?: string | undefined;
  /** Where names are looked up, beside the config's own plugins. Default: the default registry, where the config has none. */
  readonly registry?: Registry | undefined;
  /** A model by name; what it does not know is left to registered providers. Default: those only. */
  readonly models?: ModelLookup | undefined;
  /** The names that `models` knows, for messages. */
  readonly modelNames?: readonly string[] | undefined;
  /** Answers come from recordings, so it is not checked whether models and services can be reached. Default `false`. */
  readonly modelsRecorded?: boolean | undefined;
  /** Nothing will be called, as for an estimate: variables that are missing are no mistake. Default `false`. */
  readonly estimateOnly?: boolean | undefined;
  /** What is known of plugins that are not registered, for messages. Default: nothing. */
  readonly advice?: PluginAdvice | undefined;
  /** What criteria may look for, as `process.env`. Default: nothing is set. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /**
   * Settings of the run that criteria take where neither the config nor a case has them: those whose options name one as
   * `x-setting` in their JSON Schema, as `prices`. Default: none.
   */
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
  /** `'adk'`: the numbers of ADK Python. Default `null`. */
  readonly compat?: 'adk' | null | undefined;
  /** The inferences are recorded already: no simulated user is looked for. Default `false`. */
  readonly scoringOnly?: boolean | undefined;
  /** Nothing is judged yet: models and environment of criteria are not looked for. Default `false`. */
  readonly inferencesOnly?: boolean | undefined;
}
