import type { ErrorInfo, EvalCase, Invocation, Json, Rubric, State } from '@agent-criteria/formats';

/** The ids of a unit: all that an agent under test may know of it. */
export interface UnitKey {
  readonly setId: string;
  readonly caseId: string;
  /** From 0. */
  readonly repeat: number;
  /** One agent or model among several in a run; absent where there is only one. */
  readonly variant?: string | undefined;
}

/** One case, one repeat: what is to be run. */
export interface Unit {
  readonly setId: string;
  readonly case: EvalCase;
  /** From 0. */
  readonly repeat: number;
  /** As in `UnitKey`. */
  readonly variant?: string | undefined;
}

/** A recorded run of an agent on one unit. Plain JSON: it can be saved today and scored tomorrow. */
export interface Inference {
  readonly sessionId: string;
  /** What happened, turn by turn. */
  readonly invocations: readonly Invocation[];
  /** The session's state before the first and after the last turn; `null` where the agent cannot tell it. */
  readonly state: { readonly initial: State | null; readonly final: State | null };
  readonly trace?: readonly Span[] | undefined;
  /**
   * Where the case has a history: whether its turns were given to the session, or sent to an agent that takes none. Default: it has
   * none.
   */
  readonly history?: 'given' | 'replayed' | undefined;
  /** The turns whose answers were cut off. Default: none was, as far as the agent says. */
  readonly cutOff?: readonly CutOff[] | undefined;
  readonly ending: Ending;
}

/** An answer that is not whole. */
export interface CutOff {
  /** From 0. */
  readonly turn: number;
  /** As ADK's events say it: `interrupted` or `MAX_TOKENS`. */
  readonly reason: string;
}

/** How a conversation ended. An `error` or `abort` is never scored. */
export type Ending =
  | { readonly by: 'end-of-case' | 'user' | 'turn-limit' | 'abort'; readonly reason?: string | undefined }
  | {
      readonly by: 'error';
      readonly of: 'agent' | 'user' | 'harness';
      readonly error: ErrorInfo;
      readonly reason?: string | undefined;
    };

/** One timed step inside a turn: a model call, a tool call. Times in milliseconds since the epoch. */
export interface Span {
  readonly id: string;
  readonly parentId?: string | undefined;
  readonly kind: 'model' | 'tool' | 'agent' | 'other';
  readonly name: string;
  readonly author?: string | undefined;
  readonly turn: number;
  readonly startedAt: number;
  readonly endedAt?: number | undefined;
  readonly request?: Json | undefined;
  readonly response?: Json | undefined;
  readonly usage?: State | undefined;
  readonly error?: ErrorInfo | undefined;
}

/** One turn of a transcript: what happened beside what was expected. */
export interface Turn {
  /** From 0. */
  readonly index: number;
  readonly actual: Invocation;
  /** `null` when the case says nothing of this turn, as in a simulated conversation. */
  readonly expected: Invocation | null;
  /** It came before the case begins: context, which is never to be judged. Default `false`. */
  readonly isHistory?: boolean | undefined;
  /** The case does not state which calls are expected here, so that none is right or wrong. Default `false`: one that lists none expects none. */
  readonly callsNotStated?: boolean | undefined;
  /** The rubrics that the criterion has to judge in this turn, ready: its own, then the case's, then the turn's. */
  readonly rubrics: readonly Rubric[];
}

/** A unit with its inference, turn by turn beside the reference: what a criterion reads. */
export interface Transcript {
  readonly unit: Unit;
  readonly inference: Inference;
  readonly turns: readonly Turn[];
  /** The criterion's own rubrics and the case's, without those of single turns. */
  readonly rubrics: readonly Rubric[];
}
