import type { State } from '@agent-criteria/formats';
import type {
  WrittenEvalConfig,
  WrittenEvalConfigCamel,
  WrittenEvalConfigSnake,
  WrittenToolSimulationConfig,
} from '@agent-criteria/formats/eval-set';
import type { Criterion } from '../contracts/criterion.ts';
import type { Plugin } from '../contracts/plugin.ts';
import type { SnakeKeys } from './snake-keys.ts';

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
        ? object & InBothSpellings<Input & Pick<CoreOptions, 'agentCriteria'> & { readonly threshold?: never }>
        : number | InBothSpellings<Input & CoreOptions & { readonly threshold: number }>
    : never;

type InBothSpellings<Options> = Options | SnakeKeys<Options>;

/** What a config may name: the criteria of its plugins where all are values, else any. */
type CriteriaOf<Plugins extends ConfigPlugins> = [Extract<Plugins[number], string>] extends [never]
  ? [Criteria<Plugins>] extends [never]
    ? AnyCriteria
    : { readonly [C in Criteria<Plugins> as C['name']]?: Entry<C> }
  : AnyCriteria;

type AnyCriteria = NonNullable<WrittenEvalConfig['criteria']>;

type OfPlugins = 'plugins' | 'criteria' | 'agentCriteria' | 'agent_criteria';

/** The keys of agent-criteria in a config. */
interface OwnKeys<Plugins extends ConfigPlugins> {
  /** Criteria that only measure. They take no threshold and decide nothing. */
  readonly measure?: readonly (keyof CriteriaOf<Plugins>)[] | undefined;
  /** What a whole run has to show: `{ pass_rate: 0.9 }`. */
  readonly gates?: Readonly<Record<string, unknown>> | undefined;
  /** What answers instead of tools, in every case. */
  readonly toolSimulationConfigs?: readonly WrittenToolSimulationConfig[] | undefined;
  readonly tool_simulation_configs?: readonly WrittenToolSimulationConfig[] | undefined;
}

/**
 * A config as a value. Keys as TypeScript has them or as ADK's files do. Where plugins stand in it as values, it may name
 * their criteria only, with the options of each.
 */
export interface EvalConfigInput<Plugins extends ConfigPlugins = ConfigPlugins>
  extends Omit<WrittenEvalConfigCamel, OfPlugins>,
    Omit<WrittenEvalConfigSnake, OfPlugins> {
  /** Plugins as values, or names of packages and files to load them from. */
  readonly plugins?: Plugins | undefined;
  /** By criterion name: a threshold, or an object of threshold and options. */
  readonly criteria?: CriteriaOf<Plugins> | undefined;
  /** Keys of agent-criteria, which ADK ignores. */
  readonly agentCriteria?: OwnKeys<Plugins> | undefined;
  readonly agent_criteria?: OwnKeys<Plugins> | undefined;
}

/** What `defineEvalConfig` gives: a config whose criteria come from the plugins that stand beside it. */
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
