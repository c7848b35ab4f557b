import { type RunCall, type Tools, toErrorInfo } from '@agent-criteria/core';
import type { Journal } from './journal.ts';

/** Who asks. */
export type Caller = Pick<RunCall, 'role' | 'key' | 'by' | 'turn'>;

/** The same tools; every call to a model or a service is kept in the journal, with what was asked and answered. */
export function recordCalls(tools: Tools, caller: Caller, journal: Journal | null): Tools {
  if (journal === null) return tools;
  return {
    ...tools,
    model(name) {
      const model = tools.model(name);
      return {
        id: model.id,
        async generate(request, signal) {
          const call = { ...caller, sample: request.sample, to: model.id, startedAt: Date.now() };
          const answer = await model.generate(request, signal).catch((error: unknown) => {
            keepFailure(call, request, error, journal);
            throw error;
          });
          const { finish, usage, from, text } = answer;
          journal.keepCall({ ...call, endedAt: Date.now(), finish, usage, from }, request, text);
          return answer;
        },
      };
    },
    async call(ask, send) {
      const call = { ...caller, sample: ask.sample ?? 0, to: ask.service, startedAt: Date.now() };
      const given = await tools.call(ask, send).catch((error: unknown) => {
        keepFailure(call, ask.request, error, journal);
        throw error;
      });
      journal.keepCall({ ...call, endedAt: Date.now(), from: given.from }, ask.request, given.answer);
      return given;
    },
  };
}

type Begun = Omit<RunCall, 'endedAt' | 'request'>;

function keepFailure(call: Begun, request: unknown, error: unknown, journal: Journal): void {
  // Stacks are of our code or a provider's; the message says what matters.
  const { code, message } = toErrorInfo(error, 'CALL_FAILED');
  journal.keepCall({ ...call, endedAt: Date.now(), error: { code, message } }, request, undefined);
}
