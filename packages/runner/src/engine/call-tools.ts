import type { Tools } from '@agent-criteria/core';
import type { Caller } from '@agent-criteria/core/host';
import { callRecord } from './keep-call.ts';
import { limitCalls } from './limit-calls.ts';
import { type KeepCall, recordCalls } from './record-calls.ts';
import { onCallSkipped } from './skipped-calls.ts';
import { fail, type Skipped, type Work } from './work.ts';

/** The tools of whoever asks; `skipped` says whether a call of it was not made. */
export function toolsOf(work: Work, plain: Tools, caller: Caller, skipped: Skipped): Tools {
  const under = work.options.policies?.apply(plain, caller) ?? limitCalls(plain, work.calls);
  return onCallSkipped(recordCalls(under, caller, keepCall(work)), (error) => {
    skipped.any = true;
    work.undone = true;
    if (error.code === 'BUDGET_SPENT') work.spent = true;
    // Every call that was to come fails alike.
    for (const problem of error.problems) {
      if (!work.problems.some(({ message }) => message === problem.message)) work.problems.push(problem);
    }
  });
}

/** The same, made when the first call is: most criteria make none. */
export function lazyTools(plain: Tools, make: () => Tools): Tools {
  let made: Tools | undefined;
  const tools = (): Tools => (made ??= make());
  return {
    signal: plain.signal,
    compat: plain.compat,
    model: (name) => tools().model(name),
    call: (ask, send) => tools().call(ask, send),
  };
}

/** A call that could not be kept ends the run, and is not taken for a failure of who called. */
function keepCall(work: Work): KeepCall {
  const { journal, sink } = work.options;
  return async (ended, request, answer) => {
    try {
      const record = callRecord(ended, request, answer, work.options);
      await journal.keepCall(record);
      sink({ type: 'call-finished', call: record.call });
    } catch (error) {
      fail(work, error);
      throw error;
    }
  };
}
