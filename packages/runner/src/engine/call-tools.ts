import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID, sha256 } from '@agent-criteria/calls';
import {
  CriteriaError,
  isCallSkipped,
  keptSettings,
  type LanguageModel,
  type ModelRequest,
  type State,
  type Tools,
  toErrorInfo,
} from '@agent-criteria/core';
import type { Caller } from '@agent-criteria/core/host';
import { stringifyJson } from '@agent-criteria/formats';
import { costOf, type RunCall } from '@agent-criteria/results';
import type { CallRecord } from '../journal/journal.ts';
import { timeNow } from '../own-globals.ts';
import { redactCall } from './redact.ts';
import type { Semaphore } from './semaphore.ts';
import { type EngineOptions, fail, type Skipped, type Work } from './work.ts';

/** A finished call, without the hashes of its request and answer. */
export type EndedCall = Omit<RunCall, 'request' | 'answer'>;

/** Creates a caller's tools. Sets `skipped` if one of its calls was not made. */
export function toolsFor(work: Work, plain: Tools, caller: Caller, skipped: Skipped): Tools {
  const { policies } = work.options.calls;
  const limited = policies?.apply(plain, caller) ?? limitCalls(plain, work.calls);
  return reportSkipped(recordCalls(limited, caller, work), work, skipped);
}

/** Defers the creation of tools to the first call, because most criteria make none. */
export function lazyTools(plain: Tools, create: () => Tools): Tools {
  let created: Tools | undefined;
  const tools = (): Tools => (created ??= create());
  return {
    signal: plain.signal,
    compat: plain.compat,
    model: (name) => tools().model(name),
    call: (ask, send) => tools().call(ask, send),
  };
}

interface ToolWrappers {
  generate(model: LanguageModel, ...args: Parameters<LanguageModel['generate']>): ReturnType<LanguageModel['generate']>;
  readonly call: Tools['call'];
}

function wrapTools(tools: Tools, { generate, call }: ToolWrappers): Tools {
  return {
    ...tools,
    model(name) {
      const model = tools.model(name);
      return { id: model.id, generate: (request, signal) => generate(model, request, signal) };
    },
    call,
  };
}

/** True inside a call that holds a permit. A nested call that waited for one could deadlock with its own caller. */
const holdsPermit = new AsyncLocalStorage<true>();

/** Limits the number of concurrent calls. Nested calls need no permit of their own. */
function limitCalls(tools: Tools, limit: Semaphore): Tools {
  const run = <T>(work: () => Promise<T>): Promise<T> =>
    holdsPermit.getStore() ? work() : limit.run(() => holdsPermit.run(true, work));
  return wrapTools(tools, {
    generate: (model, request, signal) => run(() => model.generate(request, signal)),
    call: (ask, send) => run(() => tools.call(ask, send)),
  });
}

/**
 * Records that a call was not made at all, because the budget is spent or the recording has no answer. Nothing that
 * depends on it is stored, even if a criterion handles the failure.
 */
function reportSkipped(tools: Tools, work: Work, skipped: Skipped): Tools {
  const report = (error: unknown): never => {
    if (isCallSkipped(error)) {
      skipped.any = true;
      work.undone = true;
      if (error.code === 'BUDGET_SPENT') work.spent = true;
      // All later calls fail for the same reason, so report it once.
      for (const problem of error.problems) {
        if (!work.problems.some(({ message }) => message === problem.message)) work.problems.push(problem);
      }
    }
    throw error;
  };
  return wrapTools(tools, {
    generate: (model, request, signal) => model.generate(request, signal).catch(report),
    call: (ask, send) => tools.call(ask, send).catch(report),
  });
}

/** Stores every call to a model or a service before its answer is used. */
function recordCalls(tools: Tools, caller: Caller, work: Work): Tools {
  const start = (target: string, sample: number) => {
    // Read the turn on each call, because a simulated user's turn advances.
    const { role, key, name, turn } = caller;
    return { role, key, caller: name, turn, sample, target, startedAt: timeNow() };
  };
  const saveFailure = async (call: Omit<EndedCall, 'endedAt'>, request: unknown, error: unknown): Promise<never> => {
    // Calls that were never made are not recorded, unless a recording lacks the answer, which explains why the case has
    // no score.
    if (!isCallSkipped(error) || error.code !== 'BUDGET_SPENT') {
      // The message is enough: the stack only shows our code or a provider's.
      const { code, message } = toErrorInfo(error, 'CALL_FAILED');
      const requests = CriteriaError.is(error) ? error.requests : undefined;
      const failed = { ...call, endedAt: timeNow(), ...severalRequests(requests), error: { code, message } };
      await saveCall(work, failed, request, undefined);
    }
    throw error;
  };
  return wrapTools(tools, {
    async generate(model, request, signal) {
      const asked = storedRequest(request, model.settings);
      const call = start(model.id, request.sample);
      const answer = await model.generate(request, signal).catch((error) => saveFailure(call, asked, error));
      const { finish, usage, from, text, requests } = answer;
      const ended = { ...call, endedAt: timeNow(), finish, usage, from, ...severalRequests(requests) };
      await saveCall(work, ended, asked, text);
      return answer;
    },
    async call(ask, send) {
      const call = start(ask.service, ask.sample ?? 0);
      const usage = { units: ask.units ?? 1 };
      const given = await tools.call(ask, send).catch((error) => saveFailure(call, ask.request, error));
      const { from, answer, requests } = given;
      const ended = { ...call, endedAt: timeNow(), usage, from, ...severalRequests(requests) };
      await saveCall(work, ended, ask.request, answer);
      return given;
    },
  });
}

/**
 * Returns the request to store: it includes the model's settings, but no headers or secrets, and no sample number, so
 * that all samples share one text.
 */
function storedRequest({ sample: _, settings, ...asked }: ModelRequest, added: State = {}): unknown {
  return {
    ...asked,
    settings: settings && keptSettings(settings),
    ...(Object.keys(added).length === 0 ? {} : { modelSettings: keptSettings(added) }),
  };
}

/** Returns the number of requests made by a call, if there was more than one. */
function severalRequests(requests: number | undefined): Pick<EndedCall, 'requests'> {
  return requests === undefined || requests === 1 ? {} : { requests };
}

/**
 * Stores a call. A failure to store it ends the run and is not blamed on the caller.
 * @param answer `undefined` if there was none.
 */
async function saveCall(work: Work, ended: EndedCall, request: unknown, answer: unknown): Promise<void> {
  const { journal, sink } = work.options;
  try {
    const record = callRecord(ended, request, answer, work.options);
    await journal.keepCall(record);
    sink({ type: 'call-finished', call: record.call });
  } catch (error) {
    fail(work, error);
    throw error;
  }
}

/**
 * Converts a call to the form that journals store: redacted, with its cost and the hashes of its request and answer.
 */
function callRecord(
  { error, ...ended }: EndedCall,
  request: unknown,
  answer: unknown,
  { redaction, calls: { prices } }: Pick<EngineOptions, 'redaction' | 'calls'>,
): CallRecord {
  const textOf = (value: unknown) => stringifyJson(redactCall(value ?? null, redaction));
  const texts = { request: textOf(request), answer: answer === undefined ? null : textOf(answer) };
  const cost = costOf(ended, prices);
  const call = {
    ...ended,
    ...(error !== undefined && { error: { ...error, message: redactCall(error.message, redaction) } }),
    ...(cost !== undefined && { cost }),
    request: sha256(texts.request),
    ...(texts.answer !== null && { answer: sha256(texts.answer) }),
  };
  return { id: randomUUID(), call, ...texts };
}
