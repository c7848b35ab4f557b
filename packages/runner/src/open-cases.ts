import { CriteriaError, type Problem } from '@agent-criteria/core';
import type { CaseResult } from '@agent-criteria/core/host';
import type { RunCommit, RunRecord } from '@agent-criteria/results';
import { agentChecks, agentFacts, checkStubs, type RunAgents, readyAgents, variantNames } from './agents.ts';
import { checkFiles } from './check-files.ts';
import type { GatesOfCases } from './conclude-run.ts';
import { redactionOf } from './engine/redact.ts';
import { createSemaphore } from './engine/semaphore.ts';
import { execute } from './execute.ts';
import { memoryJournal } from './journal/memory-journal.ts';
import { journalRecord } from './journal/read-cases.ts';
import { timeNow } from './own-globals.ts';
import { countCases, type PlannedSet } from './planned-set.ts';
import type { GateName } from './run-folder/plan-file.ts';
import { type SavedCases, saveCases } from './save-cases.ts';
import { checkRunSettings, type Limits, type RunSettings } from './settings.ts';

export interface OpenCasesOptions extends Omit<RunSettings, 'runTimeout' | 'signal' | 'drain'>, RunAgents {
  readonly sets: readonly PlannedSet[];
  /** How many times each case runs, each time in its own session. Default 1. */
  readonly repeats?: number | undefined;
}

/** Cases that run one by one. The caller closes them. */
export interface OpenedCases {
  /** How many milliseconds a turn and a repeat of a case may take. */
  readonly limits: Pick<Limits, 'turnTimeout' | 'caseTimeout'>;
  /**
   * Runs and scores a case, even if it has run before. Before its first case, an agent is checked (`Agent.check`).
   * @param how `variant` is the name of the agent, if there are several. `timeout` limits the whole case, in
   *   milliseconds from its start. Default: no limit.
   * @throws CriteriaError with the problems that the agent's check reports, for every case of that agent. Never for
   *   what the agent or a criterion does while the case runs.
   */
  evaluateCase(
    setId: string,
    caseId: string,
    how?: {
      readonly variant?: string | undefined;
      readonly signal?: AbortSignal | undefined;
      readonly timeout?: number | undefined;
    },
  ): Promise<EvaluatedCase>;
  /**
   * Stores the evaluations that follow as a run of these cases, with the variants that they name.
   * @param facts The gates of the run, and the commit of the agent's code. Default: none, and not known.
   * @throws CriteriaError RUN_CHANGED, RUN_LOCKED or WRITE_FAILED, or with the problems that an agent's check reports.
   */
  persistTo(
    folder: string,
    cases: readonly CaseToKeep[],
    facts?: { readonly gates?: readonly GateName[] | undefined; readonly commit?: RunCommit | undefined },
  ): Promise<void>;
  /** Closes the run folder. @param gates The results of the gates. Default: they were not checked. */
  close(gates?: GatesOfCases | null): Promise<void>;
}

/** A case that will be evaluated, and the agent that runs it if there are several. */
export interface CaseToKeep {
  readonly setId: string;
  readonly caseId: string;
  readonly variant?: string | undefined;
}

export interface EvaluatedCase {
  /** A run of just this case. */
  readonly record: RunRecord;
  readonly result: CaseResult;
  /**
   * The reasons why the run ended early or was not stored, such as a spent budget or a full disk. If there are any, it
   * has not passed.
   */
  readonly problems: readonly Problem[];
}

/**
 * Prepares an agent to run case by case, for callers that decide when each case runs. Over all cases, at most
 * `concurrency.agents` sessions are open at once. Does not run or check the agent yet.
 *
 * @throws CriteriaError for settings out of range, and for stubs or files that the agent does not support.
 */
export async function openCases(options: OpenCasesOptions): Promise<OpenedCases> {
  const { sets, repeats = 1 } = options;
  const settings = checkRunSettings(options);
  const variants = await readyAgents(options);
  await checkFiles(
    sets.map(({ plan }) => plan),
    variants,
  );
  await checkStubs(
    sets.map(({ plan }) => plan),
    variants,
  );
  // One redaction for all sets, because a case's result must not depend on which others run.
  const redaction = redactionOf(options, sets);
  // The repeats of a case run concurrently as far as this limit allows.
  const { agents, turnTimeout, caseTimeout } = settings.limits;
  const perCase = Math.min(repeats, agents);
  const limits = { ...settings.limits, agents: perCase };
  const running = createSemaphore(Math.floor(agents / perCase));
  const checkAgents = agentChecks();
  let saved: SavedCases | null = null;

  return {
    limits: { turnTimeout, caseTimeout },
    async evaluateCase(setId, caseId, { variant, signal, timeout: runTimeout } = {}) {
      const set = sets.find(({ plan }) => plan.evalSet.evalSetId === setId);
      if (!set?.plan.evalSet.evalCases.some(({ evalId }) => evalId === caseId)) {
        throw new CriteriaError({ code: 'UNKNOWN_CASE', message: `there is no case "${caseId}" in a set "${setId}"` });
      }
      const by = variants.find((one) => one.variant === variant);
      if (by === undefined) {
        throw new CriteriaError({ code: 'USAGE', message: unknownVariant(variant, variantNames(variants)) });
      }
      await checkAgents([by], signal);
      return running.run(async () => {
        const startedAt = timeNow();
        const one = withCases(set, new Set([caseId]));
        const memory = await memoryJournal();
        const journal = saved?.with(memory, variant === undefined ? { setId, caseId } : { setId, caseId, variant });
        const outcome = await execute({
          cases: { sets: [one], variants: [by] },
          repeats,
          settings: { ...settings, limits, signal, runTimeout },
          redaction,
          journal: journal ?? memory,
        });
        const agent = (variant === undefined ? by.path : null) ?? by.agent.name;
        const facts = { id: 'in memory', startedAt, endedAt: timeNow(), agent, repeats };
        const named = variant === undefined ? facts : { ...facts, variants: [{ name: variant, agent }] };
        const record = await journalRecord(memory, named, [one]);
        const found = await record.case({ setId, caseId, variant });
        if (found === undefined) throw new CriteriaError({ code: 'INTERNAL', message: `"${caseId}" has no result` });
        if (outcome.finished) saved?.note(found.result);
        return { record, result: found.result, problems: outcome.problems };
      });
    },
    async persistTo(folder, cases, { gates, commit } = {}) {
      const chosen = sets.map((set) => {
        const ofSet = cases.filter(({ setId }) => setId === set.plan.evalSet.evalSetId);
        return withCases(set, new Set(ofSet.map(({ caseId }) => caseId)));
      });
      const names = new Set(cases.map(({ variant }) => variant));
      const chosenVariants = variants.filter(({ variant }) => names.has(variant));
      await checkAgents(chosenVariants, undefined);
      const facts = agentFacts(chosenVariants);
      const some = chosen.filter((set) => countCases([set]) > 0);
      saved = await saveCases({
        ...facts,
        folder,
        sets: some,
        repeats,
        gates,
        commit,
        prices: options.prices,
        redaction,
      });
    },
    async close(gates = null) {
      const { mask } = redaction;
      await saved?.close(gates === null || mask === null ? gates : { ...gates, results: mask.json(gates.results) });
    },
  };
}

function unknownVariant(name: string | undefined, names: readonly string[]): string {
  if (names.length === 0) return `there is no variant "${name}": there is one agent, without a name`;
  const all = `the variants are ${names.join(', ')}`;
  return name === undefined ? `name the variant that runs the case: ${all}` : `there is no variant "${name}"; ${all}`;
}

function withCases(set: PlannedSet, ids: ReadonlySet<string>): PlannedSet {
  const { plan } = set;
  const evalCases = plan.evalSet.evalCases.filter(({ evalId }) => ids.has(evalId));
  return { ...set, plan: { ...plan, evalSet: { ...plan.evalSet, evalCases } } };
}
