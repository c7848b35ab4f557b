import type { Criterion } from '../contracts/criterion.ts';
import type { Plugin } from '../contracts/plugin.ts';
import type { WrittenEvalConfig, WrittenEvalConfigCamel, WrittenEvalConfigSnake } from '../data/written.ts';
import type { State } from '../json.ts';
import type { SnakeKeys } from './snake-keys.ts';

/** The options that core reads of every criterion. */
export interface CoreOptions {
  /** The least share of turns that must have been scored, above 0, at most 1. Default 1. */
  readonly minCoverage?: number | undefined;
  /** What a case gets that the criterion cannot apply to. Default `"not-evaluated"`. */
  readonly whenNotApplicable?: 'not-evaluated' | 'skip' | undefined;
  readonly agentCriteria?: State | undefined;
}

type Criteria<Plugins extends readonly Plugin[]> = Extract<Plugins[number], { readonly kind: 'criterion' }>;

/** One criterion's entry: a threshold, or threshold and options; options alone for one that only measures. */
type Entry<C> =
  C extends Criterion<string, infer Input, infer _Options, infer Decides>
    ? boolean extends Decides
      ? // Of criteria that are known only as such, nothing is known of their options.
        number | object
      : Decides extends false
        ? object & InBothSpellings<Input & Pick<CoreOptions, 'agentCriteria'> & { readonly threshold?: never }>
        : number | InBothSpellings<Input & CoreOptions & { readonly threshold: number }>
    : never;

type InBothSpellings<Options> = Options | SnakeKeys<Options>;

type OfPlugins = 'plugins' | 'criteria' | 'agentCriteria' | 'agent_criteria';

/** The keys of agent-criteria in a config, with the names of criteria that its plugins have. */
type OwnKeys<Plugins extends readonly Plugin[], Written> = Omit<NonNullable<Written>, 'measure'> & {
  readonly measure?: readonly Criteria<Plugins>['name'][] | undefined;
};

/** A config whose criteria come from the plugins that stand beside it. Keys as TypeScript has them or as ADK's files do. */
export interface DefinedEvalConfig<Plugins extends readonly Plugin[] = readonly Plugin[]>
  extends Omit<WrittenEvalConfigCamel, OfPlugins>,
    Omit<WrittenEvalConfigSnake, OfPlugins> {
  readonly plugins: Plugins;
  readonly criteria: { readonly [C in Criteria<Plugins> as C['name']]?: Entry<C> };
  /** Keys of agent-criteria, which ADK ignores. */
  readonly agentCriteria?: OwnKeys<Plugins, WrittenEvalConfigCamel['agentCriteria']> | undefined;
  readonly agent_criteria?: OwnKeys<Plugins, WrittenEvalConfigSnake['agent_criteria']> | undefined;
}

/** A config as a value: as a file has it, with names; or with plugins as values, and then only with criteria of theirs. */
export type EvalConfigSource<Plugins extends readonly Plugin[] = readonly Plugin[]> =
  | WrittenEvalConfig
  | DefinedEvalConfig<Plugins>;

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
export function defineEvalConfig<const Plugins extends readonly Plugin[]>(
  config: DefinedEvalConfig<Plugins>,
): DefinedEvalConfig<Plugins> {
  return config;
}
