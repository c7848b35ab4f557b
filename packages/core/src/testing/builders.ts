import type { EvalCase, EvalSet, FunctionCall, Invocation, State } from '@agent-criteria/formats';
import { evalCase as caseOf, turn } from '@agent-criteria/formats/eval-set';
import type { Inference, Unit } from '../contracts/transcript.ts';

/** A turn in few words: what the user says, what the agent answers, which tools it calls. */
export interface TurnInput {
  readonly user?: string | undefined;
  /** `null` or absent: no answer. */
  readonly answer?: string | null | undefined;
  readonly toolCalls?: readonly FunctionCall[] | undefined;
}

/** An invocation; without `toolCalls` it has no intermediate data. */
export function invocation(words: TurnInput): Invocation {
  const { user = 'Hello', answer = null, toolCalls: calls } = words;
  return { invocationId: '', ...turn(user, { answer, calls }) };
}

/** A case with a fixed conversation. */
export function evalCase(
  evalId: string,
  turns: readonly TurnInput[],
  more: Partial<Omit<EvalCase, 'evalId'>> = {},
): EvalCase {
  return { ...caseOf(evalId, turns.map(invocation)), ...more };
}

/** A set of cases. */
export function evalSet(evalCases: readonly EvalCase[], evalSetId = 'set'): EvalSet {
  return { evalSetId, evalCases: [...evalCases] };
}

/** What happened: a finished inference of these turns. */
export function inference(
  turns: readonly TurnInput[],
  more: { readonly [K in keyof Inference]?: Inference[K] | undefined } = {},
): Inference {
  const {
    sessionId = 'session-1',
    invocations = turns.map(invocation),
    state = { initial: null, final: null },
    ending = { by: 'end-of-case' },
    ...rest
  } = more;
  return { sessionId, invocations, state, ending, ...rest };
}

/** The first repeat of a case. */
export function unit(evalCase: EvalCase, setId = 'set', repeat = 0): Unit {
  return { setId, case: evalCase, repeat };
}

/** A session's state before and after. */
export function states(initial: State | null, final: State | null): Inference['state'] {
  return { initial, final };
}
