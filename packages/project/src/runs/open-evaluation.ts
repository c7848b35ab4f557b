import { dirname, resolve } from 'node:path';
import type { Problem } from '@agent-criteria/core';
import type { EvalSetSource } from '@agent-criteria/core/eval-set';
import {
  checkRunSettings,
  type GatesOfCases,
  type OpenedCases,
  openCases,
  type PlannedSet,
  type RunSettings,
} from '@agent-criteria/runner';
import { callsOver } from '../config/call-settings.ts';
import { projectRunsFolder } from '../config/project-config.ts';
import { defaultRunsFolder } from '../config/project-root.ts';
import { collectProblems } from '../files/collect-problems.ts';
import { findEvalSets } from '../files/find-files.ts';
import { type AgentOrVariants, agentPaths } from '../plan/asked-agents.ts';
import { fixedRepeats } from '../plan/auto-repeats.ts';
import { fittingSets, type TextFilter } from '../plan/fitting-sets.ts';
import { openPolicies } from '../plan/open-policies.ts';
import { commitOfAgents } from './commit-of.ts';
import { type EvaluationGates, evaluationGates } from './gates/evaluation-gates.ts';
import { type AgentEvaluationOptions, prepareEvaluation } from './prepare-evaluation.ts';
import { importedFiles, recordFiles } from './run-code.ts';

/** An agent and its eval sets, for callers that decide when each case runs. */
export interface OpenEvaluationOptions extends AgentEvaluationOptions, Pick<RunSettings, 'alsoMasked' | 'onEvent'> {
  /** The module or folder of the agent, its URL, a function, or an agent; or several of them by name. */
  readonly agent: AgentOrVariants;
  /** Eval sets, each given as a path (of a file, a folder or a pattern) or as a value. */
  readonly evalSets: readonly (string | EvalSetSource)[];
  /** Only the cases that match, by their tags or by a string in `SET:CASE` or a tag. Default: all. */
  readonly filter?: TextFilter | undefined;
  /** How often each case runs, each time in a new session. Default: the project's `repeats`, else 1. */
  readonly repeats?: number | undefined;
}

/** An evaluation whose cases are run one by one. The caller must close it. */
export interface OpenedEvaluation extends Omit<OpenedCases, 'close'> {
  readonly sets: readonly PlannedSet[];
  /** How often each case runs, according to options and project. */
  readonly repeats: number;
  /** The project's folder for runs. */
  readonly runsFolder: string;
  /** The project's config, or `null` if it has none. */
  readonly configFile: string | null;
  /** The gates in the configs, or `null` if there are none. */
  readonly gates: EvaluationGates | null;
  /**
   * Closes the run folder and the call policies, and returns the warnings of the policies.
   * @param gates The gate results to save with the run. Default: none.
   */
  close(gates?: GatesOfCases | null): Promise<readonly Problem[]>;
}

/**
 * Prepares to evaluate an agent case by case. Checks everything that `evaluateAgent` checks, but runs nothing yet. The
 * agent's own check (`Agent.check`) takes place before its first case.
 * @throws CriteriaError with every mistake in files, configs and options.
 */
export async function openEvaluation(options: OpenEvaluationOptions): Promise<OpenedEvaluation> {
  const { agent: asked, calls: how, filter } = options;
  checkRunSettings(options);
  const {
    sets: all,
    agents,
    settings,
    project,
  } = await prepareEvaluation(asked, options, async () => {
    const found = collectProblems();
    const all: (string | EvalSetSource)[] = [];
    for (const one of options.evalSets) {
      const files = typeof one === 'string' ? await found.attempt(() => findEvalSets(one)) : [one];
      all.push(...(files ?? []));
    }
    found.throwIfAny();
    // A file matched by two patterns is one set.
    return [...new Set(all)];
  });
  const fitting = fittingSets(
    all.map(({ plan: { evalSet }, file }) => ({ evalSet, file })),
    filter,
  );
  const sets = all.flatMap((set, index) => {
    const { plan } = set;
    const { evalSet = plan.evalSet } = { evalSet: fitting[index] };
    return evalSet.evalCases.length === 0 ? [] : [{ ...set, plan: { ...plan, evalSet } }];
  });
  const repeats = options.repeats ?? fixedRepeats(project?.settings.repeats, 1);
  const plans = sets.map(({ plan }) => plan);
  const calls = callsOver(settings, how);
  const runsFolder = (project && projectRunsFolder(project)) ?? (await defaultRunsFolder());
  const gates = await evaluationGates(sets, {
    project,
    runsFolder,
    repeats,
    prices: settings.prices,
    ...agents.options,
    from: options.from,
  });
  const policies = await openPolicies(plans, project, calls);
  const opened = await openCases({ ...settings, ...agents.options, policies, sets, repeats });
  return {
    ...opened,
    async persistTo(folder, cases) {
      const paths = agentPaths(agents.options);
      const commit = await commitOfAgents(paths, dirname(resolve(folder)));
      await opened.persistTo(folder, cases, { gates: gates?.names, commit });
      recordFiles(folder, 'imported', await importedFiles(paths));
    },
    sets,
    repeats,
    gates,
    runsFolder,
    configFile: project?.file ?? null,
    async close(asked) {
      const problems = await policies?.close();
      await opened.close(asked);
      return problems ?? [];
    },
  };
}
