import type { Problem } from '@agent-criteria/core';
import type { CaseResult, Plan, Summary } from '@agent-criteria/core/host';
import type { RunCall, RunInference } from '@agent-criteria/results';
import type { AgentInput } from './agent-input.ts';
import type { CallOptions } from './load/call-settings.ts';
import type { LoadedPlan, LoadPlanOptions } from './load/load-plan.ts';
import { remember } from './remember.ts';
import { type RunSettings, runSets, summaryOf } from './run.ts';
import { openRun } from './run-folder/open-run.ts';
import { checkRunSettings } from './settings.ts';
import { withPolicies } from './with-policies.ts';

/** What to evaluate, by what, and how. */
export interface EvaluateOptions extends LoadPlanOptions, RunSettings {
  readonly agent: AgentInput;
  /** How often each case runs. Default 1. */
  readonly repeats?: number | undefined;
  /**
   * Where everything is kept too, so that the run survives this process: a new folder, or that of the same run, which is
   * then continued. Default: nothing is kept.
   */
  readonly folder?: string | undefined;
  /** What stands before models, over what the project says. Needs @agent-criteria/models. */
  readonly calls?: CallOptions | undefined;
}

/** What an evaluation came to, and all it was made of. Plain JSON, less the plan. */
export interface Evaluation extends Summary {
  readonly setId: string;
  /** In case order. */
  readonly cases: readonly CaseResult[];
  /** In case order. */
  readonly inferences: readonly RunInference[];
  /** Calls to models and paid services; in any order. */
  readonly calls: readonly RunCall[];
  /** Whether everything was done. */
  readonly finished: boolean;
  /** What ended it early, if something did: a full disk, the time of the run. */
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
  readonly plan: Plan;
}

/**
 * Runs an agent on an eval set and scores what it did: resolve, generate, score, summarise.
 *
 * @throws CriteriaError with every mistake in the set, the config and the agent, before the agent runs.
 */
export async function evaluate(options: EvaluateOptions): Promise<Evaluation> {
  checkRunSettings(options);
  const { plan, agent, warnings, configFile, settings } = await prepare(options);
  const { folder, agent: asked, evalSet, repeats } = options;
  const set = { plan, file: typeof evalSet === 'string' ? evalSet : null, configFile, warnings };
  const agentPath = typeof asked === 'string' ? asked : undefined;
  const memory = remember(settings.prices);
  const { policies: given, project, calls: how } = options;
  const outcome = await withPolicies(
    [plan],
    {
      policies: given,
      project,
      calls: { ...how, prices: how?.prices ?? settings.prices, redact: how?.redact ?? settings.redact },
    },
    (policies) => runSets({ ...settings, policies, agent, agentPath, sets: [set], repeats, folder }, memory.hooks),
  );
  // What earlier starts have done, and what redaction made of scores, stands in the folder only.
  const isHere = folder === undefined || (settings.redact === undefined && memory.isWhole(set, repeats ?? 1));
  const { cases, inferences, calls } = isHere ? memory.recorded(set, repeats ?? 1) : await fromFolder(folder);
  return {
    ...{ setId: plan.evalSet.evalSetId, ...summaryOf(cases, outcome.problems), cases, inferences, calls, plan },
    warnings: [...warnings, ...outcome.warnings],
    ...{ finished: outcome.finished, problems: outcome.problems },
  };
}

/** Also what earlier starts of the run have done. */
async function fromFolder(folder: string): Promise<Pick<Evaluation, 'cases' | 'inferences' | 'calls'>> {
  const cases: CaseResult[] = [];
  const inferences: RunInference[] = [];
  const calls: RunCall[] = [];
  for await (const one of openRun(folder).cases()) {
    cases.push(one.result);
    for (const inference of one.inferences) inferences.push(inference);
    for (const call of one.calls ?? []) calls.push(call);
  }
  return { cases, inferences, calls };
}

/** Whatever is wrong is told together, and the agent's module is imported last: importing runs code. */
async function prepare({ agent, calls, ...options }: EvaluateOptions) {
  // Here, not above: who evaluates values only, or generates and scores, never loads it.
  const load = await import('./load/index.ts');
  const { collectProblems, findAgent, loadAgent, loadPlan, withProjectSettings } = load;
  const found = collectProblems();
  const modelsRecorded = options.modelsRecorded ?? (calls?.recording && calls.recording.mode === 'replay');
  const loaded = await found.attempt(() => loadPlan({ ...options, modelsRecorded }));
  const given = await found.attempt(async () =>
    typeof agent === 'string' ? findAgent(agent) : load.adaptAgent(agent, loaded?.registry),
  );
  found.throwIfAny();
  const { plan, registry, warnings, configFile } = loaded as LoadedPlan;
  const ready = typeof given === 'object' ? given : await loadAgent(String(agent), registry);
  return { plan, warnings, configFile, agent: ready, settings: withProjectSettings(options, options.project) };
}
