import {
  type CaseResult,
  type EvalSet,
  type ModelLookup,
  type Plan,
  type Problem,
  readEvalData,
  type Registry,
  resolveEvalConfig,
  type Summary,
  summarise,
} from '@agent-criteria/core';
import type { AgentInput } from './agent-input.ts';
import { selectCases } from './select-cases.ts';
import { generate, type UnitInference } from './generate.ts';
import { score } from './score.ts';

export interface EvaluateOptions {
  readonly agent: AgentInput;
  /** An eval set as read from JSON, as built in code, or the path of its file. */
  readonly evalSet: EvalSet | string | unknown;
  /**
   * A config as read from JSON, from `defineEvalConfig`, or the path of its file. Default: `test_config.json` beside the
   * eval set's file, else ADK's default criteria (tool_trajectory_avg_score 1.0 and response_match_score 0.8).
   */
  readonly config?: unknown;
  /** Only these case ids. Default: all. */
  readonly cases?: readonly string[];
  /** Default: the config's plugins where it has them, else what importing packages has registered. */
  readonly registry?: Registry;
  readonly models?: ModelLookup;
  /** Default `process.env`. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** `'adk'`: the numbers of ADK Python. Verdicts stay honest. */
  readonly compat?: 'adk' | null;
  /** How often each case runs. Default 1. */
  readonly repeats?: number;
  readonly concurrency?: { readonly agents?: number; readonly scoring?: number };
  /** Milliseconds. Default 300,000. */
  readonly turnTimeout?: number;
  readonly signal?: AbortSignal;
}

/** What an evaluation came to, and all it was made of. Plain JSON, less the plan. */
export interface Evaluation extends Summary {
  readonly setId: string;
  /** In case order. */
  readonly cases: readonly CaseResult[];
  /** In case order. */
  readonly inferences: readonly UnitInference[];
  readonly warnings: readonly Problem[];
  readonly plan: Plan;
}

/**
 * Runs an agent on an eval set and scores what it did: resolve, generate, score, summarise.
 *
 * @throws CriteriaError with every mistake in the set, the config or the agent, before the agent runs.
 */
export async function evaluate(options: EvaluateOptions): Promise<Evaluation> {
  const { plan, warnings } = await planOf(options);
  const common = options.signal === undefined ? {} : { signal: options.signal };
  const inferences = await generate({
    plan,
    agent: options.agent,
    ...common,
    ...(options.repeats === undefined ? {} : { repeats: options.repeats }),
    ...(options.concurrency?.agents === undefined ? {} : { concurrency: options.concurrency.agents }),
    ...(options.turnTimeout === undefined ? {} : { turnTimeout: options.turnTimeout }),
  });
  const cases = await score({
    plan,
    inferences,
    ...common,
    ...(options.concurrency?.scoring === undefined ? {} : { concurrency: options.concurrency.scoring }),
  });
  return { setId: plan.evalSet.evalSetId, ...summarise(cases), cases, inferences, warnings, plan };
}

async function planOf(options: EvaluateOptions): Promise<{ plan: Plan; warnings: readonly Problem[] }> {
  const warnings: Problem[] = [];
  let config = options.config;
  let evalSet: EvalSet;
  let file: string | undefined;
  if (typeof options.evalSet === 'string') {
    const { findConfig, loadEvalSet } = await import('./load/index.ts');
    if (config === undefined) config = await findConfig(options.evalSet);
    const loaded = await loadEvalSet(options.evalSet);
    warnings.push(...loaded.warnings);
    evalSet = loaded.value;
  } else {
    const read = readEvalData(options.evalSet);
    warnings.push(...read.warnings);
    evalSet = read.value;
  }
  if (typeof config === 'string') {
    const { readJsonFile } = await import('./load/index.ts');
    file = config;
    const loaded = await readJsonFile(config);
    warnings.push(...loaded.warnings);
    config = loaded.value;
  }
  const plan = resolveEvalConfig({
    evalSet: selectCases(evalSet, options.cases),
    config: config ?? null,
    environment: options.environment ?? process.env,
    compat: options.compat ?? null,
    ...(file === undefined ? {} : { file }),
    ...(options.registry === undefined ? {} : { registry: options.registry }),
    ...(options.models === undefined ? {} : { models: options.models }),
  });
  return { plan, warnings: [...warnings, ...plan.warnings] };
}
