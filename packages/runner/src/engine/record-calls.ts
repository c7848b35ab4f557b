import {
  CriteriaError,
  isCallSkipped,
  keptSettings,
  type ModelRequest,
  type State,
  type Tools,
  toErrorInfo,
} from '@agent-criteria/core';
import type { Caller } from '@agent-criteria/core/host';
import type { RunCall } from '@agent-criteria/results';
import { timeNow } from '../own-globals.ts';

/** A call that has ended, without the names of what was asked and answered. */
export type EndedCall = Omit<RunCall, 'request' | 'answer'>;

/** Keeps a call, with what was asked and answered; `undefined` for an answer that never came. */
export type KeepCall = (call: EndedCall, request: unknown, answer: unknown) => Promise<void>;

/** The same tools; every call to a model or a service is kept before its answer is used. */
export function recordCalls(tools: Tools, caller: Caller, keep: KeepCall): Tools {
  return {
    ...tools,
    model(name) {
      const model = tools.model(name);
      return {
        id: model.id,
        async generate(request, signal) {
          const { sample } = request;
          const asked = keptRequest(request, model.settings);
          const call = { ...callerFields(caller), sample, target: model.id, startedAt: timeNow() };
          const answer = await model.generate(request, signal).catch(async (error: unknown) => {
            await keepFailure(call, asked, error, keep);
            throw error;
          });
          const { finish, usage, from, text, requests } = answer;
          await keep({ ...call, endedAt: timeNow(), finish, usage, from, ...sent(requests) }, asked, text);
          return answer;
        },
      };
    },
    async call(ask, send) {
      const call = { ...callerFields(caller), sample: ask.sample ?? 0, target: ask.service, startedAt: timeNow() };
      const usage = { units: ask.units ?? 1 };
      const given = await tools.call(ask, send).catch(async (error: unknown) => {
        await keepFailure(call, ask.request, error, keep);
        throw error;
      });
      const { from, answer, requests } = given;
      await keep({ ...call, endedAt: timeNow(), usage, from, ...sent(requests) }, ask.request, answer);
      return given;
    },
  };
}

/** A request as it is kept: with what the model adds to it, without headers and secrets. Samples ask for the same, and are one text. */
function keptRequest({ sample: _, settings, ...asked }: ModelRequest, added: State = {}): unknown {
  return {
    ...asked,
    settings: settings && keptSettings(settings),
    ...(Object.keys(added).length === 0 ? {} : { modelSettings: keptSettings(added) }),
  };
}

/** Read with each call: the turn of a simulated user goes on. */
function callerFields({ role, key, name, turn }: Caller): Pick<EndedCall, 'role' | 'key' | 'caller' | 'turn'> {
  return { role, key, caller: name, turn };
}

type Begun = Omit<EndedCall, 'endedAt'>;

async function keepFailure(call: Begun, request: unknown, error: unknown, keep: KeepCall): Promise<void> {
  // A call that was never made is not a call. What a recording lacks is kept all the same: it is why the case has no score.
  if (isCallSkipped(error) && error.code === 'BUDGET_SPENT') return;
  // Stacks are of our code or a provider's; the message says what matters.
  const { code, message } = toErrorInfo(error, 'CALL_FAILED');
  const requests = CriteriaError.is(error) ? error.requests : undefined;
  await keep({ ...call, endedAt: timeNow(), ...sent(requests), error: { code, message } }, request, undefined);
}

/** One request is what a call takes. */
function sent(requests: number | undefined): Pick<EndedCall, 'requests'> {
  return requests === undefined || requests === 1 ? {} : { requests };
}
