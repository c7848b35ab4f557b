import {
  CriteriaError,
  type From,
  type Json,
  type Problem,
  type ServiceCall,
  type ServiceRetries,
  type Tools,
} from '@agent-criteria/core';
import type { Caller, CallPolicies } from '@agent-criteria/core/host';
import type { Prices } from '@agent-criteria/results';
import { type Answers, type BareAnswer, modelAnswers, serviceAnswers } from './answers.ts';
import type { Attempt } from './attempt.ts';
import { type Breaker, openBreaker, type Pass } from './breaker.ts';
import { openBudget } from './budget.ts';
import { CACHE_FOLDER, cached, type Given, openCache } from './cache.ts';
import type { CallWatcher, Spent } from './call-event.ts';
import { type CallIdentity, callKey, keyAt } from './call-key.ts';
import { checkNumbers } from './check-numbers.ts';
import { classifyFailure } from './classify-failure.ts';
import { guessUsage } from './guess-tokens.ts';
import type { BudgetLimits, Used } from './ledger.ts';
import { type Limit, openLimit, sizeOf } from './limit.ts';
import { asCall } from './nesting.ts';
import { openRecording, type RecordingMode, recorded } from './recording.ts';
import { requestOf } from './request.ts';
import { checkRetryOptions, retrying } from './retry.ts';
import { singleFlight } from './single-flight.ts';
import { DEFAULT_TIMEOUT, inTime } from './timeout.ts';
import { wrapModel } from './wrap-model.ts';

/** The settings of calls; `maxCalls`, `maxTokens` and `maxCost` of all calls together. */
export interface CallPolicyOptions extends BudgetLimits {
  /** How often a call is made again that failed for a passing reason. Default 6; 0: never. */
  readonly maxRetries?: number | undefined;
  /** Milliseconds that one attempt may take. Default 120,000. */
  readonly callTimeout?: number | undefined;
  readonly concurrency?:
    | {
        /**
         * How many calls run at once, of each model and each service, from all callers together. Default 16. Fewer while a
         * service cannot keep up.
         */
        readonly calls?: number | undefined;
      }
    | undefined;
  /** How many calls begin within any minute, of each model and each service. Default: no limit. */
  readonly requestsPerMinute?: number | undefined;
  /** How many tokens calls of any minute take together, of each model. Default: no limit. */
  readonly tokensPerMinute?: number | undefined;
  /** The folder in which answers are kept from run to run; `false`: nowhere. Default `.agent-criteria/cache` in the working folder. */
  readonly cache?: false | string | undefined;
  /** Default: none. */
  readonly recording?:
    | {
        readonly file: string;
        readonly mode: RecordingMode | 'off';
        readonly label?: string | undefined;
      }
    | undefined;
  readonly prices?: Prices | undefined;
  /** Changes an answer before it is recorded or cached, as `openRecording` says; of what it gave itself it changes nothing more. */
  readonly redact?: ((answer: Json) => Json) | undefined;
  readonly onEvent?: CallWatcher | undefined;
}

/** Failures that no other call to the model would be spared. */
const FINAL: ReadonlySet<string> = new Set(['not-found', 'auth']);

export interface RunCallPolicies extends CallPolicies {
  /** `false`: everything comes from a recording, and no model is asked, so none needs a key. */
  readonly live: boolean;
  /** What the recording says of itself, as "a scripted judge"; `null`: nothing, or there is none. */
  readonly label: string | null;
  /** What was sent so far. */
  spent(): Spent;
}

/** One call on its way through the policies. */
interface PolicyCall<T> extends CallIdentity {
  readonly caller: Caller;
  readonly answers: Answers<T>;
  readonly send: Attempt<Given<T>>;
  /** Milliseconds between the beginnings of two calls. */
  readonly interval?: number;
  /** How the service wants to be asked again. */
  readonly retries?: ServiceRetries | undefined;
  /** Who answers, where it is not the service itself. */
  readonly place?: string | undefined;
  /** What its answer took. */
  usage(answer: T): Used['usage'];
  /** The same where it does not tell tokens; absent: it takes none. */
  guess?(answer: T): Used['usage'];
}

/**
 * The policies of a run, for all of its models and paid services together. From outside to inside: recording, cache, breaker, retries,
 * limit, budget, timeout. So an answer that is recorded or cached waits for nothing and costs nothing, a call that waits to be
 * retried takes no place, and the budget counts every attempt that is really sent.
 * What fails for every call alike is down after three calls with all their retries (and twenty attempts); then calls to it fail at once,
 * but for one every minute that finds out whether it is back.
 *
 * @throws CriteriaError USAGE for numbers that make no sense; RECORDING_MISSING, RECORDING_UNREADABLE and WRITE_FAILED as `openRecording`;
 * INVALID_CONFIG for a limit of costs without prices.
 */
export async function callPolicies(options: CallPolicyOptions = {}): Promise<RunCallPolicies> {
  const { callTimeout = DEFAULT_TIMEOUT, maxRetries, requestsPerMinute, tokensPerMinute, prices, onEvent } = options;
  const { maxCalls, maxTokens, maxCost } = options;
  const concurrency = options.concurrency?.calls;
  checkRetryOptions({ maxRetries });
  checkNumbers({
    counts: { 'concurrency.calls': concurrency, requestsPerMinute, tokensPerMinute },
    times: { callTimeout },
  });
  const budget = openBudget({ maxCalls, maxTokens, maxCost, prices, onEvent });
  const { recording: asked, redact } = options;
  const recording =
    asked === undefined || asked.mode === 'off' ? null : await openRecording({ ...asked, mode: asked.mode, redact });
  // What is recorded anew is asked for anew.
  const cache =
    options.cache === false || recording?.mode === 'record' ? null : openCache(options.cache ?? CACHE_FOLDER);
  const flights = singleFlight<Given<unknown>>();
  const limits = new Map<string, Limit>();
  const breakers = new Map<string, Breaker>();

  function limitOf({ kind, to }: CallIdentity): Limit {
    const key = `${kind} ${to}`;
    const limit = limits.get(key) ?? openLimit(to, { concurrency, requestsPerMinute, tokensPerMinute, onEvent });
    limits.set(key, limit);
    return limit;
  }

  function breakerOf({ kind, to }: CallIdentity): Breaker {
    const key = `${kind} ${to}`;
    const breaker = breakers.get(key) ?? openBreaker(to, onEvent);
    breakers.set(key, breaker);
    return breaker;
  }

  /** Models that have answered, and those that never did and never will. */
  const answering = new Set<string>();
  const dead = new Map<string, CriteriaError>();

  /** What no model has ever answered is not asked of it again and again: it is gone, or the key is not good for it. */
  async function live<T>(call: PolicyCall<T>, signal: AbortSignal): Promise<Given<T>> {
    const { to, kind } = call;
    const made = () => breakerOf(call).run((pass) => attempts(call, signal, pass), signal);
    if (kind !== 'model') return made();
    const known = dead.get(to);
    if (known !== undefined) throw known;
    try {
      const given = await made();
      answering.add(to);
      return given;
    } catch (error) {
      if (!answering.has(to) && CriteriaError.is(error) && FINAL.has(classifyFailure(error, signal).kind)) {
        dead.set(to, error);
      }
      throw error;
    }
  }

  /** Retries, limit, budget, timeout. */
  function attempts<T>(call: PolicyCall<T>, signal: AbortSignal, pass: Pass): Promise<Given<T>> {
    const { to, send } = call;
    const { isProbe, down } = pass;
    const used = ({ answer, from }: Given<T>): Used => ({
      ...{ usage: call.usage(answer), from },
      guess: call.guess && (() => call.guess?.(answer) ?? {}),
    });
    const size = sizeOf<Given<T>>(call.request, ({ answer }) => call.usage(answer));
    const inBudget: Attempt<Given<T>> = async (own) => {
      pass.beginAttempt();
      return budget.run(to, (inner) => inTime(send, inner, callTimeout, to), own, used);
    };
    const limited: Attempt<Given<T>> = (own) => limitOf(call).run(inBudget, own, size, call.interval);
    return retrying(limited, signal, to, { maxRetries: isProbe ? 0 : maxRetries, onEvent, own: call.retries, down });
  }

  /** Recording, cache, and what is behind them. */
  async function ask<T>(call: PolicyCall<T>, signal: AbortSignal): Promise<Given<T>> {
    if (recording === null && cache === null) return live(call, signal);
    const key = callKey(call);
    const here = keyAt(key, call.place);
    const { to, answers } = call;
    const behind: Attempt<Given<T>> = (own) => live(call, own);
    const fromCache: Attempt<Given<T>> =
      cache === null ? behind : (own) => cached({ cache, key: here, to, answers, redact }, behind, own);
    const kept: Attempt<Given<T>> =
      recording === null ? fromCache : (own) => recorded({ recording, key, call, answers }, fromCache, own);
    const flight = await flights.run(here, kept, signal);
    // Equal keys have answers of equal kinds.
    const { answer, from } = flight.answer as Given<T>;
    recording?.note(key, call);
    const shared: From = cache === null ? 'recording' : 'cache';
    return { answer, from: flight.joined && from === 'live' ? shared : from };
  }

  /** A call may be part of another one. */
  const make = <T>(call: PolicyCall<T>, signal: AbortSignal): Promise<Given<T>> => asCall(() => ask(call, signal));

  return {
    live: recording?.mode !== 'replay',
    label: recording?.label ?? null,
    spent: () => budget.spent(),
    apply: (tools, caller) => ({
      ...tools,
      model(name) {
        const model = tools.model(name);
        return wrapModel(model, async (request, signal) => {
          const send = async (own: AbortSignal): Promise<Given<BareAnswer>> => {
            const answer = await model.generate(request, own);
            return { answer, from: answer.from };
          };
          const call: PolicyCall<BareAnswer> = {
            ...{ kind: 'model', to: model.id, repeat: caller.key.repeat, ...requestOf(model, request) },
            ...{ caller, answers: modelAnswers, send, usage: ({ usage }) => usage },
            guess: ({ text }) => guessUsage(request, text),
          };
          const { answer, from } = await make(call, signal);
          return { ...answer, from };
        });
      },
      call: async (ask, send) => make(serviceCall(ask, send, caller, tools), tools.signal),
    }),
    async close(): Promise<readonly Problem[]> {
      cache?.close();
      const recordingProblems = (await recording?.close()) ?? [];
      return [
        ...recordingProblems,
        ...(cache?.warnings() ?? []),
        ...budget.warnings(),
        ...[...breakers.values()].flatMap((breaker) => breaker.warnings()),
      ];
    },
  };
}

function serviceCall<Request extends Json, Answer extends Json>(
  ask: ServiceCall<Request>,
  send: (request: Request, signal: AbortSignal) => Promise<Answer>,
  caller: Caller,
  tools: Tools,
): PolicyCall<Answer> {
  const { service, request, sample = 0, units = 1, requestsPerSecond, retries, place } = ask;
  const interval = requestsPerSecond === undefined ? 0 : 1000 / requestsPerSecond;
  if (requestsPerSecond !== undefined) checkNumbers({ times: { '1000 / requestsPerSecond': interval } });
  return {
    ...{ kind: 'service', to: service, request, repeat: caller.key.repeat, sample, caller },
    ...{ retries, interval, place },
    answers: serviceAnswers<Answer>(ask.isWhole),
    // The signal ends with that of the tools.
    send: (signal) => tools.call(ask, (asked) => send(asked, signal)),
    usage: () => ({ units }),
  };
}
