import type { CriterionConfig, EvalConfig, State, ToolSimulationConfig } from '@agent-criteria/formats';
import type { Criterion } from '../contracts/criterion.ts';
import type { Plugin } from '../contracts/plugin.ts';

// A type, not an interface: only then may an entry be any config of a criterion, whose other keys are its options.
/** The options that core reads of every criterion. */
export type CoreOptions = {
  /** The least share of turns that must have been scored, above 0, at most 1. Default 1. */
  readonly minCoverage?: number | undefined;
  /** The verdict of a case to which the criterion does not apply. Default `"not-evaluated"`. */
  readonly whenNotApplicable?: 'not-evaluated' | 'skip' | undefined;
  readonly agentCriteria?: State | undefined;
};

/** The plugins of a config: values, or names of packages and files. */
export type ConfigPlugins = readonly (Plugin | string)[];

type Criteria<Plugins extends ConfigPlugins> = Extract<Plugins[number], { readonly kind: 'criterion' }>;

/** One criterion's entry: a threshold, or threshold and options; options alone for one that only measures. */
type Entry<C> =
  C extends Criterion<string, infer Input, infer _Options, infer Decides>
    ? boolean extends Decides
      ? number | object
      : Decides extends false
        ? object & Input & Pick<CoreOptions, 'agentCriteria'> & { readonly threshold?: never }
        : number | (Input & CoreOptions & { readonly threshold: number })
    : never;

/** What a config may name: the criteria of its plugins where all are values, else any. */
type CriteriaOf<Plugins extends ConfigPlugins> = [Extract<Plugins[number], string>] extends [never]
  ? [Criteria<Plugins>] extends [never]
    ? AnyCriteria
    : { readonly [C in Criteria<Plugins> as C['name']]?: Entry<C> }
  : AnyCriteria;

type AnyCriteria = Readonly<Record<string, number | AnyCriterion>>;

/** The config of a criterion whose options are not known to the compiler. */
interface AnyCriterion extends CriterionConfig {
  /** The score that passes, inclusive. */
  readonly threshold: number;
}

/** The keys of agent-criteria in a config. */
interface OwnKeys<Plugins extends ConfigPlugins> {
  /** Criteria that only measure. They take no threshold and decide nothing. */
  readonly measure?: readonly (keyof CriteriaOf<Plugins>)[] | undefined;
  /** What a whole run has to show: `{ pass_rate: 0.9 }`. */
  readonly gates?: Readonly<Record<string, unknown>> | undefined;
  /** Answers that replace those of tools, in every case. */
  readonly toolSimulationConfigs?: readonly ToolSimulationConfig[] | undefined;
}

/**
 * A config in code: the keys of the data model, in camelCase. (Files may spell them in snake_case.) If its plugins are
 * values, it may name only their criteria, with the options of each.
 */
export interface EvalConfigInput<Plugins extends ConfigPlugins = ConfigPlugins>
  extends Omit<EvalConfig, 'plugins' | 'criteria' | 'agentCriteria'> {
  /** Plugins as values, or names of packages and files to load them from. */
  readonly plugins?: Plugins | undefined;
  /** By criterion name: a threshold, or an object of threshold and options. */
  readonly criteria?: CriteriaOf<Plugins> | undefined;
  /** Keys of agent-criteria, which ADK ignores. */
  readonly agentCriteria?: OwnKeys<Plugins> | undefined;
}

/** A config whose criteria come from its own plugins, as `defineEvalConfig` returns it. */
export interface DefinedEvalConfig<Plugins extends ConfigPlugins = ConfigPlugins> extends EvalConfigInput<Plugins> {
  readonly plugins: Plugins;
  readonly criteria: CriteriaOf<Plugins>;
}

/** A config of any plugins, as a file has it or as `defineEvalConfig` gives it. */
export type EvalConfigSource = EvalConfigInput | DefinedEvalConfig<readonly Plugin[]>;

/**
 * A config in TypeScript. Names and options are completed and checked by inference from `plugins`: a typo, a wrong
 * option, a missing threshold or a threshold on a criterion that only measures does not compile.
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
