import type { CriterionConfig, EnvironmentSimulationConfig, EvalConfig, State } from '@agent-criteria/formats';
import type { Criterion } from '../contracts/criterion.ts';
import type { Plugin } from '../contracts/plugin.ts';

// A type alias, because an interface is not assignable to a type with an index signature.
/** Options that every criterion has, besides its threshold and its own options. */
export type CoreOptions = {
  /** The share of turns that must have been scored, above 0 and at most 1. Default 1. */
  readonly minCoverage?: number | undefined;
  /** The result of a case to which the criterion does not apply. Default `"not-evaluated"`. */
  readonly whenNotApplicable?: 'not-evaluated' | 'skip' | undefined;
  readonly agentCriteria?: State | undefined;
};

/** A config's plugins: values, or names of packages and files. */
export type ConfigPlugins = readonly (Plugin | string)[];

type Criteria<Plugins extends ConfigPlugins> = Extract<Plugins[number], { readonly kind: 'criterion' }>;

/**
 * A criterion's entry: a threshold, or an object with threshold and options. A criterion that is not deciding takes
 * only options.
 */
type Entry<C> =
  C extends Criterion<string, infer Input, infer _Options, infer Decides>
    ? boolean extends Decides
      ? number | object
      : Decides extends false
        ? object & Input & Pick<CoreOptions, 'agentCriteria'> & { readonly threshold?: never }
        : number | (Input & CoreOptions & { readonly threshold: number })
    : never;

/** The allowed `criteria` of a config: those of its plugins if all are values, otherwise any. */
type CriteriaOf<Plugins extends ConfigPlugins> = [Extract<Plugins[number], string>] extends [never]
  ? [Criteria<Plugins>] extends [never]
    ? AnyCriteria
    : { readonly [C in Criteria<Plugins> as C['name']]?: Entry<C> }
  : AnyCriteria;

type AnyCriteria = Readonly<Record<string, number | AnyCriterion>>;

/** The entry of a criterion whose options are unknown to the compiler. */
interface AnyCriterion extends CriterionConfig {
  /** The worst score that passes. */
  readonly threshold: number;
}

/** The keys under a config's `agentCriteria`. */
interface OwnKeys<Plugins extends ConfigPlugins> extends EnvironmentSimulationConfig {
  /** Names of criteria that only measure. They have no threshold. */
  readonly measure?: readonly (keyof CriteriaOf<Plugins>)[] | undefined;
  /** Requirements for the whole run, such as `{ pass_rate: 0.9 }`. */
  readonly gates?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * A config in code, with keys in camelCase; files may also use snake_case. If all its plugins are values, it can only
 * name their criteria, and their options are checked by the compiler.
 */
export interface EvalConfigInput<Plugins extends ConfigPlugins = ConfigPlugins>
  extends Omit<EvalConfig, 'plugins' | 'criteria' | 'agentCriteria'> {
  /** Plugins as values, or names of packages and files to load them from. */
  readonly plugins?: Plugins | undefined;
  /** By criterion name: a threshold, or an object with a threshold and options. */
  readonly criteria?: CriteriaOf<Plugins> | undefined;
  /** Keys of agent-criteria, which ADK ignores. */
  readonly agentCriteria?: OwnKeys<Plugins> | undefined;
}

/** A config with its plugins, as `defineEvalConfig` returns it. */
export interface DefinedEvalConfig<Plugins extends ConfigPlugins = ConfigPlugins> extends EvalConfigInput<Plugins> {
  readonly plugins: Plugins;
  readonly criteria: CriteriaOf<Plugins>;
}

/** A config with any plugins: plain, as in a file, or the result of `defineEvalConfig`. */
export type EvalConfigSource = EvalConfigInput | DefinedEvalConfig<readonly Plugin[]>;

/**
 * Returns the config unchanged. The compiler completes and checks names and options using the types of `plugins`: a
 * typo, a wrong option, a missing threshold, or a threshold on a criterion that only measures is a compile error.
 *
 * ```ts
 * const config = defineEvalConfig({
 *   plugins: [toolTrajectory, responseMatch],
 *   criteria: { tool_trajectory_avg_score: 1, response_match_score: { threshold: 0.7, type: 'rougeL' } },
 * });
 * ```
 */
export function defineEvalConfig<const Plugins extends ConfigPlugins>(
  config: DefinedEvalConfig<Plugins>,
): DefinedEvalConfig<Plugins> {
  return config;
}
