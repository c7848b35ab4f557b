import { CriteriaError, type Problem } from '@agent-criteria/core';
import type { CaseResult } from '@agent-criteria/core/host';
import type { RunRecord } from '@agent-criteria/results';
import pLimit from 'p-limit';
import { agentFacts } from './agent-facts.ts';
import type { AgentInput } from './agent-input.ts';
import { checkStubs } from './check-stubs.ts';
import type { GatesOfCases } from './conclude-run.ts';
import { redactionOf } from './engine/redact.ts';
import { execute } from './execute.ts';
import type { GateName } from './gate-name.ts';
import { journalRecord } from './journal/journal-record.ts';
import { memoryJournal } from './journal/memory-journal.ts';
import { type KeptCases, keepCases } from './keep-cases.ts';
import { timeNow } from './own-globals.ts';
import { countCases, type PlannedSet } from './planned-set.ts';
import { checkRunSettings, type RunSettings, settingsOf } from './settings.ts';
import {
  type AgentVariant,
  forEachVariant,
  isVariants,
  type ReadyVariant,
  toVariants,
  variantNames,
} from './variants.ts';

export interface OpenCasesOptions extends Omit<RunSettings, 'runTimeout' | 'signal' | 'drain'> {
  readonly sets: readonly PlannedSet[];
  /** The agent under test; or several, each with a name: a case runs with the one that is asked for. */
  readonly agent: AgentInput | readonly AgentVariant[];
  /** The agent's module or URL, and the name by which it was chosen there: for records and run folders. */
  readonly agentPath?: string | undefined;
  readonly agentName?: string | undefined;
  /** How often each case runs, each time in a session of its own. Default 1. */
  readonly repeats?: number | undefined;
}

/** Cases that are run one by one. Whoever opened them closes them. */
export interface OpenedCases {
  /** Milliseconds that a turn and a repeat of a case may take. */
  readonly limits: { readonly turnTimeout: number; readonly caseTimeout: number };
  /**
   * Runs a case and scores it, whatever came of it before. Never rejects for what the agent or a criterion does.
   * @param how `variant`: the name of the agent, where there are several. `timeout`: milliseconds for all of it, from its start.
   *   Default: no limit.
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
   * Keeps what is evaluated from now on, as a run of these cases, with the variants that they name.
   * @param gates The gates of the run. Default: none.
   * @throws CriteriaError WRITE_FAILED.
   */
  persistTo(folder: string, cases: readonly CaseToKeep[], gates?: readonly GateName[]): Promise<void>;
  /** Closes the run folder. @param gates The results of the gates. Default: they were not asked. */
  close(gates?: GatesOfCases | null): Promise<void>;
}

/** A case that will be evaluated; of several agents, with which. */
export interface CaseToKeep {
  readonly setId: string;
  readonly caseId: string;
  readonly variant?: string | undefined;
}

export interface EvaluatedCase {
  /** A run of this case alone. */
  readonly record: RunRecord;
  readonly result: CaseResult;
  /** What kept it from its end, or from being kept: a spent budget, a full disk. Such a case has not passed. */
  readonly problems: readonly Problem[];
}

/**
 * Runs an agent case by case, for callers who decide when which case runs. Of all cases together, at most
 * `concurrency.agents` sessions are open at once. Nothing runs yet.
 *
 * @throws CriteriaError for settings out of range, and for stubs that the agent does not support.
 */
export async function openCases(options: OpenCasesOptions): Promise<OpenedCases> {
  const { sets, repeats = 1 } = options;
  checkRunSettings(options);
  const variants = toVariants(options.agent);
  const plans = sets.map(({ plan }) => plan);
  await forEachVariant(variants, ({ agent }) => checkStubs(plans, agent));
  // Of all sets: what a case may tell does not depend on which others run.
  const redaction = redactionOf(options, sets);
  // The repeats of a case run side by side as far as this allows.
  const { agents, scoring, turnTimeout, caseTimeout } = settingsOf(options);
  const each = Math.min(repeats, agents);
  const limit = pLimit(Math.floor(agents / each));
  let kept: KeptCases | null = null;

  const evaluate = async (
    set: PlannedSet,
    caseId: string,
    by: ReadyVariant,
    { signal, timeout: runTimeout }: NonNullable<Parameters<OpenedCases['evaluateCase']>[2]>,
  ): Promise<EvaluatedCase> => {
    const { variant, agent } = by;
    const ids = { setId: set.plan.evalSet.evalSetId, caseId };
    const startedAt = timeNow();
    const one = withCases(set, new Set([caseId]));
    const memory = await memoryJournal();
    const journal = kept?.with(memory, variant === undefined ? ids : { ...ids, variant }) ?? memory;
    const outcome = await execute({
      sets: [one],
      variants: [by],
      repeats,
      journal,
      judge: true,
      folder: null,
      redaction,
      settings: { ...options, signal, runTimeout, concurrency: { agents: each, scoring } },
    });
    const name = options.agentPath ?? agent.name;
    const facts = { id: 'in memory', startedAt, endedAt: timeNow(), agent: name, repeats };
    const named = variant === undefined ? facts : { ...facts, variants: [{ name: variant, agent: name }] };
    const record = await journalRecord(memory, named, [one]);
    const found = await record.case({ setId: ids.setId, caseId, variant });
    if (found === undefined) throw new CriteriaError({ code: 'INTERNAL', message: `"${caseId}" has no result` });
    if (outcome.finished) kept?.note(found.result);
    return { record, result: found.result, problems: outcome.problems };
  };

  return {
    limits: { turnTimeout, caseTimeout },
    async evaluateCase(setId, caseId, how = {}) {
      const set = sets.find(({ plan }) => plan.evalSet.evalSetId === setId);
      if (!set?.plan.evalSet.evalCases.some(({ evalId }) => evalId === caseId)) {
        throw new CriteriaError({ code: 'UNKNOWN_CASE', message: `there is no case "${caseId}" in a set "${setId}"` });
      }
      const by = variants.find(({ variant }) => variant === how.variant);
      if (by === undefined) {
        throw new CriteriaError({ code: 'USAGE', message: unknownVariant(how.variant, variantNames(variants)) });
      }
      return limit(() => evaluate(set, caseId, by, how));
    },
    async persistTo(folder, cases, gates) {
      const chosen = sets.map((set) => {
        const own = cases.filter(({ setId }) => setId === set.plan.evalSet.evalSetId);
        return withCases(set, new Set(own.map(({ caseId }) => caseId)));
      });
      const some = chosen.filter((set) => countCases([set]) > 0);
      const names = new Set(cases.map(({ variant }) => variant));
      const isKept = ({ variant }: { readonly variant?: string | undefined }) => names.has(variant);
      const asked = isVariants(options.agent) ? options.agent.filter(isKept) : options.agent;
      const facts = agentFacts({ ...options, agent: asked }, variants.filter(isKept));
      kept = await keepCases({ ...facts, folder, sets: some, repeats, gates, redaction });
    },
    async close(gates = null) {
      const { mask } = redaction;
      await kept?.close(gates === null || mask === null ? gates : { ...gates, results: mask.json(gates.results) });
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
