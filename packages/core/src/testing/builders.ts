import type { EvalCase, EvalSet, FunctionCall, Invocation, State } from '@agent-criteria/formats';
import { turn } from '@agent-criteria/formats/eval-set';
import type { Inference, Unit } from '../contracts/transcript.ts';

/** A turn in short: the user's message, the agent's answer, and the tools that it calls. */
export interface TurnInput {
  /** Default `Hello`. */
  readonly user?: string | undefined;
  /** `null` or absent: no answer. */
  readonly answer?: string | null | undefined;
  readonly calls?: readonly FunctionCall[] | undefined;
}

/** An invocation; without `calls` it has no intermediate data. */
export function invocation({ user = 'Hello', answer = null, ...more }: TurnInput): Invocation {
  return { invocationId: '', ...turn(user, { answer, ...more }) };
}

/** A set of cases. */
export function evalSet(evalCases: readonly EvalCase[], evalSetId = 'set'): EvalSet {
  return { evalSetId, evalCases: [...evalCases] };
}

/** A finished inference with these turns. */
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

/** The state of a session before and after. */
export function states(initial: State | null, final: State | null): Inference['state'] {
  return { initial, final };
}
