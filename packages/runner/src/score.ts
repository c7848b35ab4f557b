import { CriteriaError, type Ending } from '@agent-criteria/core';
import type { ConfigPlugins } from '@agent-criteria/core/eval-set';
import { type CaseResult, endedInError, type Plan, summariseCase, type UnitScores } from '@agent-criteria/core/host';
import type { RunInference } from '@agent-criteria/results';
import { redactionOf } from './engine/redact.ts';
import type { CasesToRun } from './engine/work.ts';
import { execute } from './execute.ts';
import type { Journal } from './journal/journal.ts';
import { memoryJournal } from './journal/memory-journal.ts';
import { readCases } from './journal/read-cases.ts';
import { checkPlanOptions, type PlanOption, planSet, type SetOptions } from './planned-set.ts';
import { checkRunSettings, type RunSettings } from './settings.ts';
import { caseText, seenHash } from './unit-key.ts';

/** Options for `score`: a plan, or an eval set and its config, plus the inferences. */
export type ScoreOptions<Plugins extends ConfigPlugins = ConfigPlugins> = (PlanOption | SetOptions<Plugins>) &
  ScoreSettings;

interface ScoreSettings extends Pick<RunSettings, 'policies' | 'signal'> {
  /** New or saved inferences, in any order. They are looked up by case id, variant and repeat. */
  readonly inferences: readonly RunInference[];
  /** How many conversations may be scored at once, and without `policies`, how many calls may run. Default 16. */
  readonly concurrency?: { readonly scoring?: number | undefined } | undefined;
}

/**
 * Scores recorded inferences by a plan's criteria, without running the agent. Returns one result per case of the plan's
 * eval set, in order, or one per case and variant if the inferences come from several variants. A case gets an error as
 * its result if it has no inference, or if an abort prevented it from being scored.
 *
 * @throws CriteriaError USAGE for two inferences of the same unit, because they would count as repeats.
 */
export async function score<const Plugins extends ConfigPlugins>(
  options: ScoreOptions<Plugins>,
): Promise<CaseResult[]> {
  const settingNames = { inferences: true, concurrency: true, policies: true, signal: true } as const;
  checkPlanOptions(options, settingNames, { inferences: 'a list of them, as generate gives it' });
  const set = await planSet(options, { scoringOnly: true });
  const { plan } = set;
  const { concurrency, policies, signal } = options;
  const settings = checkRunSettings({ concurrency, policies, signal });
  const journal = await memoryJournal();
  const byCase = await storeInferences(journal, plan, options.inferences);
  const inferencesOf = (caseId: string, variant: string | undefined) => {
    const ids = { setId: plan.evalSet.evalSetId, caseId };
    return byCase.get(caseText(variant === undefined ? ids : { ...ids, variant })) ?? [];
  };
  const repeatsOf: CasesToRun['repeatsOf'] = (_setId, { evalId }, variant) =>
    inferencesOf(evalId, variant).map(({ key }) => key.repeat);
  const all = [...byCase.values()].flat();
  const variants = all.length === 0 ? [undefined] : [...new Set(all.map(({ key }) => key.variant))];
  await execute({
    cases: { sets: [set], variants: variants.map((variant) => ({ variant, agent: null })), repeatsOf },
    repeats: 1,
    settings,
    redaction: redactionOf({}, [set]),
    journal,
  });
  const cases = await readCases(journal, set, repeatsOf, variants);
  return cases.map(({ evalCase, variant, result }) => {
    // Leave it to core to describe a case with missing scores.
    if (result.criteria.length > 0) return result;
    const alone = summariseCase(plan, evalCase, inferencesOf(evalCase.evalId, variant).map(unscored));
    return variant === undefined ? alone : { ...alone, variant };
  });
}

/** Stores the inferences of the set's cases. Returns them by case and variant, in repeat order. */
async function storeInferences(journal: Journal, { evalSet }: Plan, inferences: readonly RunInference[]) {
  const cases = new Map(evalSet.evalCases.map((evalCase) => [evalCase.evalId, evalCase]));
  const byCase = new Map<string, RunInference[]>();
  for (const [index, one] of inferences.entries()) {
    checkShape(one, index);
    const { key, inference, startedAt = 0, endedAt = 0 } = one;
    const evalCase = cases.get(key.caseId);
    if (key.setId !== evalSet.evalSetId || evalCase === undefined) continue;
    const record = { key, ticket: 1, seen: seenHash(evalCase), inference, startedAt, endedAt };
    if ((await journal.keepInference(record)) !== 'kept') {
      const message = `there are two inferences of the case "${key.caseId}", repeat ${key.repeat}; score the runs one after the other`;
      throw new CriteriaError({ code: 'USAGE', message });
    }
    const text = caseText(key);
    byCase.set(text, [...(byCase.get(text) ?? []), one]);
  }
  for (const ofCase of byCase.values()) ofCase.sort((a, b) => a.key.repeat - b.key.repeat);
  return byCase;
}

/** Rejects values that are not inferences, because they may come from any file. */
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
