import type { EvalCase, EvalSet } from '@agent-criteria/formats';
import type { Registry } from '../registry/registry.ts';
import type { ModelLookup } from './plan.ts';
import type { PluginAdvice } from './plugin-advice.ts';

/** The argument of `resolveEvalConfig`. */
export interface ResolveOptions {
  readonly evalSet: EvalSet;
  /**
   * All cases of the set, if `evalSet` has only some of them. A criterion that applies only to others is then not a
   * mistake. Default: the cases of `evalSet`.
   */
  readonly chosenFrom?: readonly EvalCase[] | undefined;
  /**
   * The content of a config file, or a config from `defineEvalConfig`. Default, or if `null`: ADK's default criteria.
   */
  readonly config?: unknown;
  /** The path of the config file, for messages. */
  readonly file?: string | undefined;
  /**
   * The plugins, in addition to those of the config. Default: the default registry, if the config has no plugins as
   * values.
   */
  readonly registry?: Registry | undefined;
  /** Returns models by name. These take precedence over registered providers. Default: only registered providers. */
  readonly models?: ModelLookup | undefined;
  /** The names that `models` knows, for messages. Default: none. */
  readonly modelNames?: readonly string[] | undefined;
  /** Whether answers come from recordings, so that access to models and services is not checked. Default `false`. */
  readonly modelsRecorded?: boolean | undefined;
  /** Whether nothing will be called, so that missing environment variables are not a mistake. Default `false`. */
  readonly estimateOnly?: boolean | undefined;
  /** Knowledge of plugins that are not registered, for messages. Default: none. */
  readonly advice?: PluginAdvice | undefined;
  /** Environment variables, like `process.env`. Default: none are set. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /**
   * Run settings, such as `prices`: default values for options whose JSON Schema names a setting in `x-setting`.
   * Default: none.
   */
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
  /** `'adk'`: compute the numbers as ADK for Python does. Default `null`. */
  readonly compat?: 'adk' | null | undefined;
  /** Whether the inferences are already recorded, so that no simulated user is needed. Default `false`. */
  readonly scoringOnly?: boolean | undefined;
  /** Whether nothing is judged, so that criteria's models and environment are not checked. Default `false`. */
  readonly inferencesOnly?: boolean | undefined;
}
