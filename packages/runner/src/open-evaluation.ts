import { CriteriaError, type Problem } from '@agent-criteria/core';
import type { CallPolicies, CaseResult } from '@agent-criteria/core/host';
import type { RunRecord } from '@agent-criteria/results';
import pLimit from 'p-limit';
import type { AgentInput } from './agent-input.ts';
import { checkStubs } from './check-stubs.ts';
import { execute } from './execute.ts';
import { journalRecord } from './journal/journal-record.ts';
import { memoryJournal } from './journal/memory-journal.ts';
import { type KeptCases, keepCases } from './keep-cases.ts';
import { timeNow } from './own-globals.ts';
import type { PlannedSet } from './planned-set.ts';
import { type AgentEvaluationOptions, prepareEvaluation } from './prepare-evaluation.ts';
import { RUNS_FOLDER } from './run-folder/layout.ts';
import { checkRunSettings, settingsOf } from './settings.ts';

/** An agent and what it is evaluated on, for whoever decides himself when which case runs. */
export interface OpenEvaluationOptions
  extends Omit<AgentEvaluationOptions, 'runTimeout' | 'policies' | 'signal' | 'drain'> {
  /** The module or folder of the agent, its URL, a function, or an agent. */
  readonly agent: AgentInput | object;
  /** Each a path (of a file, a folder or a pattern) or an eval set as a value. */
  readonly evalSets: readonly unknown[];
  /** How often each case runs, each time in a session of its own. Default: as the project says, else 1. */
  readonly repeats?: number | undefined;
}

/** An evaluation whose cases are run one by one. Whoever opened it closes it. */
export interface OpenedEvaluation {
  readonly sets: readonly PlannedSet[];
  /** Where the project keeps its runs. */
  readonly runsFolder: string;
  /** How often each case runs, by options and project. */
  readonly repeats: number;
  /** Milliseconds that a turn and a repeat of a case may take, by options and project. */
  readonly limits: { readonly turnTimeout: number; readonly caseTimeout: number };
  /**
   * Runs a case and scores it, whatever came of it before. Never rejects for what the agent or a criterion does.
   * @param how `timeout`: milliseconds for all of it, from its start. Default: no limit.
   */
  evaluateCase(
    setId: string,
    caseId: string,
    how?: { readonly signal?: AbortSignal | undefined; readonly timeout?: number | undefined },
  ): Promise<EvaluatedCase>;
  /**
   * Keeps what is evaluated from now on, as a run of these cases.
   * @throws CriteriaError WRITE_FAILED.
   */
  persistTo(folder: string, cases: readonly { readonly setId: string; readonly caseId: string }[]): Promise<void>;
  /** Closes what stands before models, and the run folder; gives what they have to tell. */
  close(): Promise<readonly Problem[]>;
}

export interface EvaluatedCase {
  /** A run of this case alone. */
  readonly record: RunRecord;
  readonly result: CaseResult;
  /** What kept it from its end, or from being kept: a spent budget, a full disk. Such a case has not passed. */
  readonly problems: readonly Problem[];
}

/**
 * Evaluates an agent case by case: all that `evaluateAgent` checks is checked now, and nothing runs yet. Of all cases
 * together, at most `concurrency.agents` sessions are open at once.
 *
 * @throws CriteriaError with every mistake in files, configs and options.
 */
export async function openEvaluation(options: OpenEvaluationOptions): Promise<OpenedEvaluation> {
  const { agent: asked } = options;
  checkRunSettings(options);
  const { sets, agent, settings, project } = await prepareEvaluation(asked, options, async (load) => {
    const found = load.collectProblems();
    const all = [];
    for (const one of options.evalSets) {
      const files = typeof one === 'string' ? await found.attempt(() => load.findEvalSets(one)) : [one];
      all.push(...(files ?? []));
    }
    found.throwIfAny();
    // A file that two patterns match is one set.
    return [...new Set(all)];
  });
  const repeats = options.repeats ?? project?.settings.repeats ?? 1;
  const plans = sets.map(({ plan }) => plan);
  await checkStubs(plans, agent);
  const { prices, redact } = settings;
  const { loadPolicies, projectRunsFolder } = await import('./load/index.ts');
  const { calls: how } = options;
  const calls = { ...how, prices: how?.prices ?? prices, redact: how?.redact ?? redact };
  const policies: CallPolicies | undefined = await loadPolicies(plans, project, calls);
  // The repeats of a case run side by side as far as this allows.
  const { agents, scoring, turnTimeout, caseTimeout } = settingsOf(settings);
  const each = Math.min(repeats, agents);
  const limit = pLimit(Math.floor(agents / each));
  const agentPath = typeof asked === 'string' ? asked : null;
  let kept: KeptCases | null = null;

  const evaluate = async (
    set: PlannedSet,
    caseId: string,
    { signal, timeout: runTimeout }: NonNullable<Parameters<OpenedEvaluation['evaluateCase']>[2]>,
  ): Promise<EvaluatedCase> => {
    const startedAt = timeNow();
    const one = withCases(set, new Set([caseId]));
    const memory = await memoryJournal();
    const journal = kept?.with(memory, { setId: set.plan.evalSet.evalSetId, caseId }) ?? memory;
    const outcome = await execute({
      ...{ sets: [one], agent, repeats, journal, judge: true, folder: null },
      settings: { ...settings, policies, signal, runTimeout, concurrency: { agents: each, scoring } },
    });
    const facts = { id: 'in memory', startedAt, endedAt: timeNow(), agent: agentPath ?? agent.name, repeats };
    const record = await journalRecord(memory, facts, [one]);
    const found = await record.case(set.plan.evalSet.evalSetId, caseId);
    if (found === undefined) throw new CriteriaError({ code: 'INTERNAL', message: `"${caseId}" came to nothing` });
    if (outcome.finished) kept?.note(found.result);
    return { record, result: found.result, problems: outcome.problems };
  };

  return {
    sets,
    repeats,
    limits: { turnTimeout, caseTimeout },
    runsFolder: (project && projectRunsFolder(project)) ?? RUNS_FOLDER,
    async evaluateCase(setId, caseId, how = {}) {
      const set = sets.find(({ plan }) => plan.evalSet.evalSetId === setId);
      if (!set?.plan.evalSet.evalCases.some(({ evalId }) => evalId === caseId)) {
        throw new CriteriaError({ code: 'UNKNOWN_CASE', message: `there is no case "${caseId}" in a set "${setId}"` });
      }
      return limit(() => evaluate(set, caseId, how));
    },
    async persistTo(folder, cases) {
      const chosen = sets.map((set) => {
        const own = cases.filter(({ setId }) => setId === set.plan.evalSet.evalSetId);
        return withCases(set, new Set(own.map(({ caseId }) => caseId)));
      });
      const some = chosen.filter(({ plan }) => plan.evalSet.evalCases.length > 0);
      const facts = { name: agent.name, path: agentPath, agentName: options.agentName };
      kept = await keepCases({ folder, sets: some, agent: facts, repeats, redact });
    },
    async close() {
      const told = await policies?.close();
      await kept?.close();
      return told ?? [];
    },
  };
}

function withCases(set: PlannedSet, ids: ReadonlySet<string>): PlannedSet {
  const { plan } = set;
  const evalCases = plan.evalSet.evalCases.filter(({ evalId }) => ids.has(evalId));
  return { ...set, plan: { ...plan, evalSet: { ...plan.evalSet, evalCases } } };
}
