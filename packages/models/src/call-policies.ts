import type { LanguageModel, Problem } from '@agent-criteria/core';
import type { CallPolicies } from '@agent-criteria/core/host';
import { secretMask } from '@agent-criteria/masking';
import { openBudget } from './budget.ts';
import { type Given, openCache } from './cache.ts';
import type { Spent } from './call-event.ts';
import type { CallPolicyOptions } from './call-policy-options.ts';
import { callDefaults } from './defaults.ts';
import { openLiveCalls } from './live-calls.ts';
import { modelCall, type PolicyCall, serviceCall } from './policy-call.ts';
import { openRecording } from './recording.ts';
import { asCall } from './reentrancy.ts';
import { storedAnswers } from './stored-answers.ts';

export interface RunCallPolicies extends CallPolicies {
  /** Whether models are called. `false` if all answers come from a recording, so that no key is needed. */
  readonly live: boolean;
  /** The recording's label, such as "a scripted judge", or `null` without one. */
  readonly label: string | null;
  /** The state of the budget. */
  spent(): Spent;
}

/**
 * Creates the call policies of a run, shared by all of its models and paid services. From outside to inside: recording,
 * cache, circuit breaker, retries, limit, budget, time limit. A recorded or cached answer therefore waits for nothing
 * and costs nothing, a call that waits for a retry holds no permit, and the budget counts every attempt that is sent.
 *
 * A service counts as down once three or more consecutive calls have failed despite their retries (with at least twenty
 * attempts in total) or, if it has never answered, after twenty seconds (with at least twenty failed attempts in at
 * least three calls). Calls to it then fail at once, except for one probe per minute.
 *
 * @throws CriteriaError USAGE for invalid numbers; RECORDING_MISSING, RECORDING_UNREADABLE and WRITE_FAILED as for
 *   `openRecording`; INVALID_CONFIG for a cost limit without prices.
 */
export async function callPolicies(options: CallPolicyOptions = {}): Promise<RunCallPolicies> {
  const budget = openBudget(options);
  const live = openLiveCalls({ ...options, budget });
  const mask = (options.maskSecrets ?? true) ? secretMask({ environment: process.env }) : null;
  const { recording, cache } = await openStores(options);
  const kept = storedAnswers({ recording, cache, mask, redact: options.redact });

  /** Makes a call, which may be nested in another one. */
  const make = <T>(call: PolicyCall<T>, signal: AbortSignal): Promise<Given<T>> =>
    asCall(() => kept.ask(call, (own) => live.run(call, own), signal));

  return {
    live: recording?.mode !== 'replay',
    label: recording?.label ?? null,
    spent: budget.spent,
    apply: (tools, caller) => ({
      ...tools,
      model(name) {
        const model = tools.model(name);
        return wrapModel(model, async (request, signal) => {
          const { answer, from, requests } = await make(modelCall(model, request, caller), signal);
          return { ...answer, from, ...(requests === undefined ? {} : { requests }) };
        });
      },
      call: async (ask, send) => make(serviceCall(ask, send, caller, tools), tools.signal),
    }),
    async close(): Promise<readonly Problem[]> {
      cache?.close();
      const recordingProblems = (await recording?.close()) ?? [];
      return [...recordingProblems, ...(cache?.warnings() ?? []), ...budget.warnings(), ...live.warnings()];
    },
  };
}

/** Opens the recording and the cache. A new recording requests every answer, so no cache is used. */
async function openStores(options: CallPolicyOptions) {
  const { recording: asked, cache: folder = callDefaults.cache, redact, maskSecrets } = options;
  const recording =
    asked === undefined || asked.mode === 'off'
      ? null
      : await openRecording({ ...asked, mode: asked.mode, redact, maskSecrets });
  return { recording, cache: folder === false || recording?.mode === 'record' ? null : openCache(folder) };
}

/** Replaces the `generate` method of a model. */
export function wrapModel(model: LanguageModel, generate: LanguageModel['generate']): LanguageModel {
  const { access, settings, checkSettings } = model;
  return {
    id: model.id,
    generate,
    checkSettings: checkSettings?.bind(model),
    settings,
    access: access?.bind(model),
  };
}
