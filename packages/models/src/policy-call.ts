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

/** One call on its way through the policies. */
export interface PolicyCall<T> extends CallIdentity {
  readonly caller: Caller;
  readonly answers: Answers<T>;
  readonly send: Attempt<Given<T>>;
  /** Milliseconds between the beginnings of two calls. */
  readonly interval?: number;
  /** How the service wants to be asked again. */
  readonly retries?: ServiceRetries | undefined;
  /** Who answers, where it is not the service itself. */
  readonly endpoint?: string | undefined;
  /** What its answer took. */
  usage(answer: T): Used['usage'];
  /** The same if the answer does not report tokens. Absent if it takes none. */
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
    send: (signal) => generated(model, request, signal),
    usage: ({ usage }) => usage,
    guess: ({ text }) => guessUsage(request, text),
  };
}

/** The answer of a model, and where it came from. */
async function generated(model: LanguageModel, request: ModelRequest, signal: AbortSignal): Promise<Given<BareAnswer>> {
  const answer = await model.generate(request, signal);
  const { from, requests } = answer;
  return { answer, from, ...(requests === undefined ? {} : { requests }) };
}

/** @throws CriteriaError USAGE for a rate that makes no sense. */
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
    // The signal ends with that of the tools.
    send: (signal) => tools.call(ask, (asked) => send(asked, signal)),
    usage: () => ({ units }),
  };
}

/** A request apart from which sample it is, with what the model adds to it. */
export function requestOf(
  { settings: added = {} }: Pick<LanguageModel, 'settings'>,
  { sample, ...request }: ModelRequest,
): { readonly request: unknown; readonly sample: number } {
  return { request: Object.keys(added).length === 0 ? request : { ...request, added }, sample };
}

/** The same failure of a call, with how many requests were sent for it. What is no failure of the call itself stays as it is. */
export function withRequests(error: unknown, requests: number): unknown {
  if (!CriteriaError.is(error) || (error.code !== 'CALL_FAILED' && error.code !== 'TIMEOUT')) return error;
  const { problems, cause, warnings } = error;
  return new CriteriaError(problems, { ...(cause === undefined ? {} : { cause }), warnings, requests });
}
