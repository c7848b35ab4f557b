import {
  CriteriaError,
  type Json,
  type LanguageModel,
  type ModelRequest,
  type ServiceCall,
  type ServiceRetries,
  type Tools,
} from '@agent-criteria/core';
import type { Caller } from '@agent-criteria/core/host';
import { type Answers, type BareAnswer, modelAnswers, serviceAnswers } from './answers.ts';
import type { Attempt } from './attempt.ts';
import type { Given } from './cache.ts';
import type { CallIdentity } from './call-key.ts';
import { checkNumbers } from './check-numbers.ts';
import type { Used } from './spending.ts';
import { guessUsage } from './token-estimates.ts';

/** A call to which policies are applied. */
export interface PolicyCall<T> extends CallIdentity {
  readonly caller: Caller;
  readonly answers: Answers<T>;
  readonly send: Attempt<Given<T>>;
  /** The minimum time between the starts of two calls, in milliseconds. */
  readonly interval?: number;
  /** How the service wants calls to be retried. */
  readonly retries?: ServiceRetries | undefined;
  /** The endpoint, if it is not the service itself. */
  readonly endpoint?: string | undefined;
  /** Returns the usage that the answer reports. */
  usage(answer: T): Used['usage'];
  /** Estimates the usage if the answer reports no tokens. Absent if the call uses none. */
  guess?(answer: T): Used['usage'];
}

export function modelCall(model: LanguageModel, request: ModelRequest, caller: Caller): PolicyCall<BareAnswer> {
  return {
    kind: 'model',
    target: model.id,
    repeat: caller.key.repeat,
    ...requestOf(model, request),
    caller,
    answers: modelAnswers,
    async send(signal) {
      const answer = await model.generate(request, signal);
      const { from, requests } = answer;
      return { answer, from, ...(requests === undefined ? {} : { requests }) };
    },
    usage: ({ usage }) => usage,
    guess: ({ text }) => guessUsage(request, text),
  };
}

/** @throws CriteriaError USAGE for an invalid rate. */
export function serviceCall<Request extends Json, Answer extends Json>(
  ask: ServiceCall<Request>,
  send: (request: Request, signal: AbortSignal) => Promise<Answer>,
  caller: Caller,
  tools: Tools,
): PolicyCall<Answer> {
  const { service, request, sample = 0, units = 1, requestsPerSecond, retries, endpoint } = ask;
  const interval = requestsPerSecond === undefined ? 0 : 1000 / requestsPerSecond;
  if (requestsPerSecond !== undefined) checkNumbers({ times: { '1000 / requestsPerSecond': interval } });
  return {
    kind: 'service',
    target: service,
    request,
    repeat: caller.key.repeat,
    sample,
    caller,
    retries,
    interval,
    endpoint,
    answers: serviceAnswers<Answer>(ask.isCacheable),
    // The tools pass the signal on.
    send: (signal) => tools.call(ask, (asked) => send(asked, signal)),
    usage: () => ({ units }),
  };
}

/** Separates the request from its sample, and adds the model's settings. */
export function requestOf(
  { settings: added = {} }: Pick<LanguageModel, 'settings'>,
  { sample, ...request }: ModelRequest,
): { readonly request: unknown; readonly sample: number } {
  return { request: Object.keys(added).length === 0 ? request : { ...request, added }, sample };
}

/** Adds the number of requests to a call's failure. Any other error is returned unchanged. */
export function withRequests(error: unknown, requests: number): unknown {
  if (!CriteriaError.is(error) || (error.code !== 'CALL_FAILED' && error.code !== 'TIMEOUT')) return error;
  const { problems, cause, warnings } = error;
  return new CriteriaError(problems, { ...(cause === undefined ? {} : { cause }), warnings, requests });
}
