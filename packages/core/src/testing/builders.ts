import type { EvalCase, EvalSet, FunctionCall, Invocation, State } from '@agent-criteria/formats';
import { turn } from '@agent-criteria/formats/eval-set';
import type { Inference, Unit } from '../contracts/transcript.ts';

/** A turn in short form: the user's message, the agent's answer and tool calls. */
export interface TurnInput {
  /** Default `Hello`. */
  readonly user?: string | undefined;
  /** Default `null`: no answer. */
  readonly answer?: string | null | undefined;
  /** Default: the turn has no intermediate data. */
  readonly calls?: readonly FunctionCall[] | undefined;
}

/** Creates an invocation. */
export function invocation({ user = 'Hello', answer = null, ...more }: TurnInput): Invocation {
  return { invocationId: '', ...turn(user, { answer, ...more }) };
}

/** Creates an eval set. */
export function evalSet(evalCases: readonly EvalCase[], evalSetId = 'set'): EvalSet {
  return { evalSetId, evalCases: [...evalCases] };
}

/** Creates an inference with these turns that reached the end of the case. */
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

/** Creates a unit; by default, the first repeat of the case. */
export function unit(evalCase: EvalCase, setId = 'set', repeat = 0): Unit {
  return { setId, case: evalCase, repeat };
}

/** Creates the session state before the first and after the last turn. */
export function states(initial: State | null, final: State | null): Inference['state'] {
  return { initial, final };
}
