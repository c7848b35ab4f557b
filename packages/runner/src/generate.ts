import type { Inference, UnitKey } from '@agent-criteria/core';
import type { ConfigPlugins } from '@agent-criteria/core/eval-set';
import type { RunInference } from '@agent-criteria/results';
import type { AgentOption } from './agents.ts';
import { memoryJournal } from './journal/memory-journal.ts';
import { checkPlanOptions, type PlanOption, planSet, type SetOptions } from './planned-set.ts';
import { run } from './run.ts';
import { checkRunSettings, type RunSettings } from './settings.ts';

/** Options for `generate`: a plan, or an eval set and its config, plus the agent. */
export type GenerateOptions<Plugins extends ConfigPlugins = ConfigPlugins> = (PlanOption | SetOptions<Plugins>) &
  AgentOption &
  GenerateSettings;

export interface GenerateSettings extends Pick<RunSettings, 'turnTimeout' | 'policies' | 'signal'> {
  /** How many times each case runs, each time in a new session. Default 1. */
  readonly repeats?: number | undefined;
  /** How many sessions may be open at once. Default 4. */
  readonly concurrency?: { readonly agents?: number | undefined } | undefined;
}

/**
 * Runs one or several agents on every case, producing one inference per case, variant and repeat, in that order. If the
 * agent fails, that inference ends in an error, and the others carry on.
 *
 * @throws CriteriaError for mistakes in the options, or if the agent reports that its sessions cannot start. Never
 *   because of what it does in a session.
 */
export async function generate<const Plugins extends ConfigPlugins>(
  options: GenerateOptions<Plugins>,
): Promise<RunInference[]> {
  const settingNames = { repeats: true, concurrency: true, turnTimeout: true, policies: true, signal: true } as const;
  checkPlanOptions(options, { agent: true, variants: true, ...settingNames });
  const { agent, variants, repeats = 1, concurrency, turnTimeout, policies, signal } = options;
  const settings = { repeats, concurrency, turnTimeout, policies, signal };
  checkRunSettings(settings);
  const set = await planSet(options, { inferencesOnly: true });
  const journal = await memoryJournal();
  const { problems } = await run({ sets: [set], agent, variants, ...settings, journal, scoring: false });
  const { evalSetId: setId, evalCases } = set.plan.evalSet;
  const names = variants === undefined ? [undefined] : Object.keys(variants);
  const inferences: RunInference[] = [];
  for (const { evalId: caseId } of evalCases) {
    for (const variant of names) {
      for (let repeat = 0; repeat < repeats; repeat++) {
        const ids = { setId, caseId, repeat };
        const key: UnitKey = variant === undefined ? ids : { ...ids, variant };
        const record = await journal.inference(key);
        inferences.push({ key, inference: record?.inference ?? neverRun(problems[0]?.message ?? abortReason(signal)) });
      }
    }
  }
  return inferences;
}

function abortReason(signal: AbortSignal | undefined): string {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason.message : String(reason ?? 'the run ended before this case');
}

/** Returns the inference for a unit that the run did not reach. */
function neverRun(reason: string): Inference {
  return { sessionId: '', invocations: [], state: { initial: null, final: null }, ending: { by: 'abort', reason } };
}
