import { CriteriaError, type Ending } from '@agent-criteria/core';
import type { ConfigPlugins } from '@agent-criteria/core/eval-set';
import {
  type CallPolicies,
  type CaseResult,
  endedInError,
  type Plan,
  summariseCase,
  type UnitScores,
} from '@agent-criteria/core/host';
import type { RunInference } from '@agent-criteria/results';
import { execute } from './execute.ts';
import type { Journal } from './journal/journal.ts';
import { readCases } from './journal/journal-record.ts';
import { memoryJournal } from './journal/memory-journal.ts';
import { checkPlanOptions, type PlanOption, planOf } from './plan-option.ts';
import type { SetOptions } from './set-options.ts';
import { checkRunSettings } from './settings.ts';
import { seenHash } from './unit.ts';

/** What is scored, and by what: a plan, or an eval set and a config. */
export type ScoreOptions<Plugins extends ConfigPlugins = ConfigPlugins> = (PlanOption | SetOptions<Plugins>) &
  ScoreSettings;

export interface ScoreSettings {
  /** Today's or yesterday's; found by case id, variant and repeat, in any order. */
  readonly inferences: readonly RunInference[];
  /** How many calls to models and paid services run at once. Default 16. */
  readonly concurrency?: { readonly scoring?: number | undefined } | undefined;
  /** What stands before models and paid services, in place of `concurrency.scoring`. Default: nothing else. */
  readonly policies?: CallPolicies | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Scores recorded inferences by the criteria of a plan: one result for each case of its eval set, in that order; where inferences are
 * of several variants, one for each variant that there is. A case without an inference is an error in its result, and so is one
 * that an abort kept from being scored. The agent is not run.
 *
 * @throws CriteriaError USAGE for two inferences of one unit: they would count as repeats.
 */
export async function score<const Plugins extends ConfigPlugins>(
  options: ScoreOptions<Plugins>,
): Promise<CaseResult[]> {
  checkPlanOptions(options, scoreSettingNames, requiredForScores);
  const { plan } = await planOf(options, { scoringOnly: true });
  checkRunSettings({ concurrency: options.concurrency });
  const byVariant = inferencesByVariant(plan, options.inferences);
  const results: (readonly CaseResult[])[] = [];
  for (const [variant, inferences] of byVariant) {
    results.push(await scoreVariant(plan, variant, inferences, options));
  }
  return plan.evalSet.evalCases.flatMap((_, index) => results.flatMap((cases) => cases[index] ?? []));
}

const requiredForScores = { inferences: 'a list of them, as generate gives it' };

const scoreSettingNames = {
  inferences: true,
  concurrency: true,
  policies: true,
  signal: true,
} as const satisfies Record<keyof ScoreSettings, true>;

/** Those of the set, in the order in which variants come first; without any, one variant that has none. */
function inferencesByVariant({ evalSet }: Plan, inferences: readonly RunInference[]) {
  const cases = new Set(evalSet.evalCases.map(({ evalId }) => evalId));
  const byVariant = new Map<string | undefined, RunInference[]>();
  for (const [index, one] of inferences.entries()) {
    checkShape(one, index);
    const { setId, caseId, variant } = one.key;
    if (setId !== evalSet.evalSetId || !cases.has(caseId)) continue;
    const own = byVariant.get(variant);
    if (own === undefined) byVariant.set(variant, [one]);
    else own.push(one);
  }
  return byVariant.size === 0 ? new Map([[undefined, []]]) : byVariant;
}

async function scoreVariant(
  plan: Plan,
  variant: string | undefined,
  inferences: readonly RunInference[],
  { concurrency, policies, signal }: ScoreSettings,
): Promise<readonly CaseResult[]> {
  const journal = await memoryJournal();
  const byCase = await keepAll(journal, plan, inferences);
  const ownOf = (caseId: string) => byCase.get(caseId) ?? [];
  const repeatsOf = (_setId: string, caseId: string) => ownOf(caseId).map(({ key }) => key.repeat);
  const set = { plan, file: null, configFile: null };
  await execute({
    sets: [set],
    variants: [{ variant, agent: null }],
    repeats: 1,
    judge: true,
    journal,
    folder: null,
    repeatsOf: (setId, { evalId }) => repeatsOf(setId, evalId),
    settings: { concurrency, policies, signal },
  });
  const cases = await readCases(journal, set, repeatsOf, variant === undefined ? [] : [variant]);
  return cases.map(({ evalCase, result }) => {
    // Core says best what becomes of a case that has no scores, or not all of them.
    if (result.criteria.length > 0) return result;
    const alone = summariseCase(plan, evalCase, ownOf(evalCase.evalId).map(unscored));
    return variant === undefined ? alone : { ...alone, variant };
  });
}

/** Keeps the inferences of a variant; gives them by case, in the order of their repeats. */
async function keepAll(journal: Journal, { evalSet }: Plan, inferences: readonly RunInference[]) {
  const cases = new Map(evalSet.evalCases.map((evalCase) => [evalCase.evalId, evalCase]));
  const byCase = new Map<string, RunInference[]>();
  for (const one of inferences) {
    const { key, inference, startedAt = 0, endedAt = 0 } = one;
    const evalCase = cases.get(key.caseId);
    if (evalCase === undefined) continue;
    const seen = seenHash(evalCase);
    if ((await journal.keepInference({ key, ticket: 1, seen, inference, startedAt, endedAt })) !== 'kept') {
      const message = `there are two inferences of the case "${key.caseId}", repeat ${key.repeat}; score the runs one after the other`;
      throw new CriteriaError({ code: 'USAGE', message });
    }
    const own = byCase.get(key.caseId);
    if (own === undefined) byCase.set(key.caseId, [one]);
    else own.push(one);
  }
  for (const own of byCase.values()) own.sort((a, b) => a.key.repeat - b.key.repeat);
  return byCase;
}

/** They may come from a file that anybody has written. */
function checkShape({ key, inference }: RunInference, index: number): void {
  const { setId, caseId, repeat } = key ?? {};
  const hasKey = typeof setId === 'string' && typeof caseId === 'string' && Number.isInteger(repeat);
  if (hasKey && Array.isArray(inference?.invocations) && typeof inference.ending?.by === 'string') return;
  throw new CriteriaError({
    code: 'INVALID_DATA',
    path: `$[${index}]`,
    message: 'this is not an inference: pass { key: { setId, caseId, repeat }, inference: { invocations, ending, … } }',
  });
}

function unscored({ key, inference }: RunInference): UnitScores {
  const aborted: Ending = { by: 'abort', reason: 'the run was aborted before this case was scored' };
  const ending = endedInError(inference.ending) ? inference.ending : aborted;
  return { key, sessionId: inference.sessionId, ending, criteria: [] };
}
