import type { Duration } from '@agent-criteria/calls';
import type { Inference, UnitKey } from '@agent-criteria/core';
import type { ConfigPlugins } from '@agent-criteria/core/eval-set';
import type { CallPolicies } from '@agent-criteria/core/host';
import type { RunInference } from '@agent-criteria/results';
import type { AgentInput } from './agent-input.ts';
import { type AgentOption, agentsOf } from './agent-option.ts';
import { checkStubs } from './check-stubs.ts';
import { execute } from './execute.ts';
import { memoryJournal } from './journal/memory-journal.ts';
import { checkPlanOptions, type PlanOption, planOf } from './plan-option.ts';
import type { SetOptions } from './set-options.ts';
import { checkRunSettings } from './settings.ts';
import { checkAgents, forEachVariant, toVariants } from './variants.ts';

/** What is run, with the simulated user where a case needs one: the set of a plan, or an eval set and its config. */
export type GenerateOptions<Plugins extends ConfigPlugins = ConfigPlugins> = (PlanOption | SetOptions<Plugins>) &
  AgentOption<AgentInput> &
  GenerateSettings;

export interface GenerateSettings {
  /** How often each case runs, each time in a session of its own. Default 1. */
  readonly repeats?: number | undefined;
  /** How many sessions are open at once. Default 4. */
  readonly concurrency?: { readonly agents?: number | undefined } | undefined;
  /** How long one turn may take. Default `"300s"`. */
  readonly turnTimeout?: Duration | undefined;
  /** What stands before the models of simulated users. Default: nothing. */
  readonly policies?: CallPolicies | undefined;
  /** Aborting ends open sessions and starts no more; what was done is kept. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs the agent, or several, on every case: one inference for each case, variant and repeat, in that order whatever ends first.
 * One that fails is an inference that ended by error; the others go on.
 *
 * @throws CriteriaError when the agent cannot be loaded, or says that no session of it can begin, or a number is out of
 *   range. Never for what the agent does.
 */
export async function generate<const Plugins extends ConfigPlugins>(
  options: GenerateOptions<Plugins>,
): Promise<RunInference[]> {
  checkPlanOptions(options, generateSettingNames);
  const { repeats = 1, concurrency, turnTimeout, policies, signal } = options;
  checkRunSettings({ repeats, concurrency, turnTimeout });
  const { plan } = await planOf(options, { inferencesOnly: true });
  const variants = toVariants(agentsOf<AgentInput>(options));
  await forEachVariant(variants, ({ agent }) => checkStubs([plan], agent, signal));
  await checkAgents(variants, signal);
  const journal = await memoryJournal();
  const { problems } = await execute({
    variants,
    repeats,
    journal,
    judge: false,
    folder: null,
    sets: [{ plan, file: null, configFile: null }],
    settings: { concurrency, turnTimeout, policies, signal },
  });
  const { evalSetId: setId, evalCases } = plan.evalSet;
  const inferences: RunInference[] = [];
  for (const { evalId: caseId } of evalCases) {
    for (const { variant } of variants) {
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

const generateSettingNames = {
  agent: true,
  variants: true,
  repeats: true,
  concurrency: true,
  turnTimeout: true,
  policies: true,
  signal: true,
} as const satisfies Record<keyof GenerateSettings | 'agent' | 'variants', true>;

function abortReason(signal: AbortSignal | undefined): string {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason.message : String(reason ?? 'the run ended before this case');
}

/** The inference of a unit that the run did not come to. */
function neverRun(reason: string): Inference {
  return { sessionId: '', invocations: [], state: { initial: null, final: null }, ending: { by: 'abort', reason } };
}
