import type { LanguageModel, ModelAccess } from '@agent-criteria/core';
import { attemptInTime } from './attempt.ts';
import { classifyFailure, type Failure } from './classify-failure.ts';

/** The time that a model may take to answer, in milliseconds. A local model may have to be loaded first. */
const LONGEST = 60_000;

export interface ModelCheck {
  readonly ok: boolean;
  /** The time until the answer in milliseconds, or `null` if no call was made or it failed. */
  readonly latency: number | null;
  /** The access as reported by the model, or `null` if it reports none. */
  readonly access: ModelAccess | null;
  /** The reason why the call failed. */
  readonly failure?: Failure | undefined;
}

/**
 * Asks a model for one word, to check whether it can be reached and used, and how long it takes. If its `access`
 * reports that something is missing, no call is made. A truncated or blocked answer counts as an answer. If the call
 * fails, it resolves with the failure, and rejects only on abort.
 *
 * @param environment Like `process.env`.
 */
export async function checkModel(
  model: LanguageModel,
  environment: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<ModelCheck> {
  const access = model.access?.(environment) ?? null;
  if (access !== null && access.problems.length > 0) return { ok: false, latency: null, access };
  const request = { messages: [{ role: 'user', parts: [{ text: 'Answer with one word: yes.' }] }], sample: 0 };
  const begun = performance.now();
  try {
    await attemptInTime((own) => model.generate(request, own), signal, LONGEST, model.id);
    return { ok: true, latency: Math.round(performance.now() - begun), access };
  } catch (error) {
    signal.throwIfAborted();
    return { ok: false, latency: null, access, failure: classifyFailure(error, signal) };
  }
}
