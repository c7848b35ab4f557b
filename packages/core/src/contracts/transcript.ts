import type { ErrorInfo, EvalCase, Invocation, Json, Rubric, State } from '@agent-criteria/formats';

/** The ids of a unit. */
export interface UnitKey {
  readonly setId: string;
  readonly caseId: string;
  /** From 0. */
  readonly repeat: number;
  /** One agent or model among several in a run; absent if there is only one. */
  readonly variant?: string | undefined;
}

/** One case and one repeat, to be run. */
export interface Unit {
  readonly setId: string;
  readonly case: EvalCase;
  /** From 0. */
  readonly repeat: number;
  /** See `UnitKey`. */
  readonly variant?: string | undefined;
}

/** A recorded run of an agent on one unit. Plain JSON, so that it can be scored later. */
export interface Inference {
  readonly sessionId: string;
  /** One invocation per turn, in order. */
  readonly invocations: readonly Invocation[];
  /** The session's state before the first and after the last turn, each `null` if it is unknown. */
  readonly state: { readonly initial: State | null; readonly final: State | null };
  readonly trace?: readonly Span[] | undefined;
  /**
   * How the case's history was handled: given to the session, or replayed to an agent that does not accept one. Absent
   * if the case has no history.
   */
  readonly history?: 'given' | 'replayed' | undefined;
  /** Turns whose answers were truncated, as far as the agent reports them. Default: none. */
  readonly cutOff?: readonly CutOff[] | undefined;
  readonly ending: Ending;
}

/** A truncated answer. */
export interface CutOff {
  /** From 0. */
  readonly turn: number;
  /** As in ADK's events: `interrupted` or `MAX_TOKENS`. */
  readonly reason: string;
}

/** How a conversation ended. `error` and `abort` are never scored. */
export type Ending =
  | { readonly by: 'end-of-case' | 'user' | 'turn-limit' | 'abort'; readonly reason?: string | undefined }
  | {
      readonly by: 'error';
      readonly of: 'agent' | 'user' | 'harness';
      readonly error: ErrorInfo;
      readonly reason?: string | undefined;
    };

/** One timed step of a turn, such as a model call or a tool call. Times are in milliseconds since the epoch. */
export interface Span {
  readonly id: string;
  readonly parentId?: string | undefined;
  /** A `node` is one run of a node in a workflow; its name is the path of the node, such as `flow.classify`. */
  readonly kind: 'model' | 'tool' | 'agent' | 'node' | 'other';
  readonly name: string;
  readonly author?: string | undefined;
  readonly turn: number;
  readonly startedAt: number;
  readonly endedAt?: number | undefined;
  readonly request?: Json | undefined;
  readonly response?: Json | undefined;
  /**
   * The part that answered in place of a tool: `injection`, or the name of a tool simulator. Default: the tool answered.
   */
  readonly simulated?: string | undefined;
  readonly usage?: State | undefined;
  readonly error?: ErrorInfo | undefined;
}

/** One turn of a transcript: the actual and the expected invocation. */
export interface Turn {
  /** From 0. */
  readonly index: number;
  readonly actual: Invocation;
  /** The case's own turn, with what it expects, or `null` if the case has none, as in a simulated conversation. */
  readonly expected: Invocation | null;
  /** Whether the turn is history: context before the case begins, which is never judged. Default `false`. */
  readonly isHistory?: boolean | undefined;
  /**
   * Whether the case does not state the expected calls, so that no call is right or wrong. Default `false`: a turn that
   * lists no calls expects none.
   */
  readonly callsNotStated?: boolean | undefined;
  /** The rubrics that the criterion judges in this turn: its own, then the case's, then the turn's. */
  readonly rubrics: readonly Rubric[];
}

/** The input of criteria: a unit and its inference, aligned with the reference turn by turn. */
export interface Transcript {
  readonly unit: Unit;
  readonly inference: Inference;
  readonly turns: readonly Turn[];
  /** The criterion's own rubrics and the case's, without those of individual turns. */
  readonly rubrics: readonly Rubric[];
}
