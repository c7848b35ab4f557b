import { type CaseResult, type Plan, type Problem, type Summary, summarise } from '@agent-criteria/core';
import { type AgentInput, agentFromValue } from './agent-input.ts';
import { generate, type UnitInference } from './generate.ts';
import type { LoadedPlan, LoadPlanOptions } from './load/load-plan.ts';
import { score } from './score.ts';
import { checkPositive } from './settings.ts';

/** What to evaluate, by what, and how. */
export interface EvaluateOptions extends LoadPlanOptions {
  readonly agent: AgentInput;
  /** How often each case runs. Default 1. */
  readonly repeats?: number | undefined;
  /** How many sessions are open at once (default 4), and how many calls of criteria run at once (default 16). */
  readonly concurrency?: { readonly agents?: number | undefined; readonly scoring?: number | undefined } | undefined;
  /** Milliseconds that one turn may take. Default 300,000. */
  readonly turnTimeout?: number | undefined;
  /** Aborting ends open sessions and starts no more; what was done is kept, and cases left are errors. */
  readonly signal?: AbortSignal | undefined;
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
 * @throws CriteriaError with every mistake in the set, the config and the agent, before the agent runs.
 */
export async function evaluate(options: EvaluateOptions): Promise<Evaluation> {
  const { repeats, turnTimeout, signal, concurrency: { agents, scoring } = {} } = options;
  checkPositive({ repeats, turnTimeout, 'concurrency.agents': agents, 'concurrency.scoring': scoring });
  const { plan, agent, warnings } = await prepare(options);
  const inferences = await generate({ plan, agent, repeats, turnTimeout, signal, concurrency: agents });
  const cases = await score({ plan, inferences, signal, concurrency: scoring });
  return { setId: plan.evalSet.evalSetId, ...summarise(cases), cases, inferences, warnings, plan };
}

/** Whatever is wrong is told together, and the agent's module is imported last: importing runs code. */
async function prepare({ agent, ...options }: EvaluateOptions) {
  // Here, not above: who evaluates values only, or generates and scores, never loads it.
  const { collectProblems, findAgent, loadAgent, loadPlan } = await import('./load/index.ts');
  const found = collectProblems();
  const loaded = await found.attempt(() => loadPlan(options));
  const given = await found.attempt(async () => (typeof agent === 'string' ? findAgent(agent) : agentFromValue(agent)));
  found.throwIfAny();
  const { plan, registry, warnings } = loaded as LoadedPlan;
  return { plan, warnings, agent: typeof given === 'object' ? given : await loadAgent(String(agent), registry) };
}
