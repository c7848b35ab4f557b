import type { Problem } from '@agent-criteria/core';
import type { CaseResult, Plan, Summary } from '@agent-criteria/core/host';
import type { RunCall, RunCase, RunInference } from '@agent-criteria/results';
import type { AgentInput } from './agent-input.ts';
import { summaryOf } from './execute.ts';
import { readCases } from './journal/journal-record.ts';
import { memoryJournal } from './journal/memory-journal.ts';
import type { CallOptions } from './load/call-settings.ts';
import type { LoadedPlan, LoadPlanOptions } from './load/load-plan.ts';
import { run } from './run.ts';
import { openRun } from './run-folder/open-run.ts';
import { checkRunSettings, type RunSettings } from './settings.ts';
import { withPolicies } from './with-policies.ts';

/** What to evaluate, by what, and how. */
export interface EvaluateOptions extends LoadPlanOptions, RunSettings {
  readonly agent: AgentInput;
  /** How often each case runs. Default: as the project says, else 1. */
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
  const { folder, agent: asked, evalSet } = options;
  const repeats = options.repeats ?? options.project?.settings.repeats ?? 1;
  const set = { plan, file: typeof evalSet === 'string' ? evalSet : null, configFile, warnings };
  const agentPath = typeof asked === 'string' ? asked : undefined;
  const journal = folder === undefined ? await memoryJournal() : undefined;
  const { policies: given, project, calls: how } = options;
  const outcome = await withPolicies(
    [plan],
    {
      policies: given,
      project,
      calls: { ...how, prices: how?.prices ?? settings.prices, redact: how?.redact ?? settings.redact },
    },
    (policies) => run({ ...settings, policies, agent, agentPath, sets: [set], repeats, folder, journal }),
  );
  const record = journal === undefined ? await casesOf(folder) : await readCases(journal, set, repeats);
  const cases = record.map(({ result }) => result);
  return {
    ...{ setId: plan.evalSet.evalSetId, ...summaryOf(cases, outcome.problems), cases, plan },
    inferences: record.flatMap(({ inferences }) => inferences),
    calls: record.flatMap(({ calls = [] }) => calls),
    warnings: [...warnings, ...outcome.warnings],
    ...{ finished: outcome.finished, problems: outcome.problems },
  };
}

/** Also what earlier starts of the run have done. */
async function casesOf(folder: string | undefined): Promise<RunCase[]> {
  const cases: RunCase[] = [];
  if (folder !== undefined) for await (const one of openRun(folder).cases()) cases.push(one);
  return cases;
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
