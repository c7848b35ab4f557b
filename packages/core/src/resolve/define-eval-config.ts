import type { Criterion } from '../contracts/criterion.ts';
import type { Plugin } from '../contracts/plugin.ts';
import type { EvalConfig } from '../data/model.ts';
import type { State } from '../json.ts';

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
    ? Decides extends false
      ? object & Input & Pick<CoreOptions, 'agentCriteria'> & { readonly threshold?: never }
      : number | (Input & CoreOptions & { readonly threshold: number })
    : never;

/** A config whose criteria come from the plugins that stand beside it. */
export interface DefinedEvalConfig<Plugins extends readonly Plugin[] = readonly Plugin[]>
  extends Omit<EvalConfig, 'plugins' | 'criteria'> {
  readonly plugins: Plugins;
  readonly criteria: { readonly [C in Criteria<Plugins> as C['name']]?: Entry<C> };
  readonly agentCriteria?: { readonly measure?: readonly Criteria<Plugins>['name'][] | undefined } | undefined;
}

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
