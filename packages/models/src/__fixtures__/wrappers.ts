import type { LanguageModel } from '@agent-criteria/core';
import type { Caller } from '@agent-criteria/core/host';
import type { Budget } from '../budget.ts';
import type { Cache } from '../cache.ts';
import { guessUsage } from '../token-estimates.ts';
import { type AnswerStores, storedAnswers } from '../stored-answers.ts';
import { type Limit, sizeOf } from '../limit.ts';
import { modelCall } from '../policy-call.ts';
import type { Recording } from '../recording.ts';
import { type RetryOptions, retrying } from '../retry.ts';
import { callDefaults } from '../defaults.ts';
import { attemptInTime } from '../attempt.ts';
import { wrapModel } from '../call-policies.ts';
import { caller } from './calls.ts';

// Wraps a model in a single policy, so that each policy can be tested in isolation.

export function withRetry(model: LanguageModel, options: RetryOptions = {}): LanguageModel {
  return wrapModel(model, (request, signal) =>
    retrying((own) => model.generate(request, own), signal, model.id, options),
  );
}

export function withTimeout(model: LanguageModel, milliseconds: number = callDefaults.callTimeout): LanguageModel {
  return wrapModel(model, (request, signal) =>
    attemptInTime((own) => model.generate(request, own), signal, milliseconds, model.id),
  );
}

export function withLimit(model: LanguageModel, limit: Limit): LanguageModel {
  return wrapModel(model, (request, signal) =>
    limit.run(
      (own) => model.generate(request, own),
      signal,
      sizeOf(request, ({ usage }) => usage),
    ),
  );
}

export function withBudget(model: LanguageModel, budget: Budget): LanguageModel {
  return wrapModel(model, (request, signal) =>
    budget.run(
      model.id,
      (own) => model.generate(request, own),
      signal,
      (answer) => ({ ...answer, guess: () => guessUsage(request, answer.text) }),
    ),
  );
}

export function withCache(model: LanguageModel, cache: Cache, { repeat = 0 } = {}): LanguageModel {
  return withKeptAnswers(model, { recording: null, cache, mask: null }, caller({ repeat }));
}

export function withRecording(model: LanguageModel, recording: Recording, by: Caller): LanguageModel {
  return withKeptAnswers(model, { recording, cache: null, mask: null }, by);
}

function withKeptAnswers(model: LanguageModel, stores: AnswerStores, by: Caller): LanguageModel {
  const kept = storedAnswers(stores);
  return wrapModel(model, async (request, signal) => {
    const call = modelCall(model, request, by);
    const { answer, from } = await kept.ask(call, call.send, signal);
    return { ...answer, from };
  });
}
