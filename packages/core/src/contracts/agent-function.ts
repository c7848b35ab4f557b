import type { Content, FunctionResponse, Invocation, Json } from '@agent-criteria/formats';
import type { AiSdkResult, ReportedCall } from '@agent-criteria/formats/messages';
import type { UnitKey } from './transcript.ts';

/**
 * An agent as a function from the text of the user's message to the answer. It may be an async generator, or return a
 * stream: strings are pieces of the answer, and objects are steps.
 */
export interface AgentFunction {
  (message: string, session: FunctionSession): AgentOutput | Promise<AgentOutput>;
  /** A description for other agents and for people. */
  readonly description?: string | undefined;
  /** The system instructions. Judges read them. Default: not recorded. */
  readonly instructions?: string | undefined;
  /**
   * The tools that the agent can call. Judges read them. Declarations as OpenAI's API takes them, ADK's, or an object of
   * tools as the AI SDK takes it. Default: not recorded.
   */
  readonly tools?: readonly object[] | Readonly<Record<string, object>> | undefined;
  /**
   * Whether it reads the files of a message from `session.content`. If not, a message with files is an error, because
   * they would be lost. Default `false`.
   */
  readonly supportsFiles?: boolean | undefined;
  /** Called before the first turn of a session, to open resources such as a connection, kept in `locals`. */
  open?(session: FunctionSessionStart): void | Promise<void>;
  /** Called once at the end of a session that was opened, even if `open` or a turn failed. */
  close?(session: FunctionSessionStart): void | Promise<void>;
}

/** The session of a function agent, outside of its turns. */
export interface FunctionSessionStart {
  readonly id: string;
  readonly userId: string;
  readonly key: UnitKey;
  /** Initialised from the case; change it in place to keep values for the next turn. */
  readonly state: Record<string, Json>;
  /** Values that live as long as the session and are not recorded, such as connections. Initially empty. */
  readonly locals: Record<string, unknown>;
  /** Aborts when the turn times out or the run aborts. */
  readonly signal: AbortSignal;
}

/** The session of a function agent during a turn. */
export interface FunctionSession extends FunctionSessionStart {
  /** The turns before this one. */
  readonly history: readonly Invocation[];
  /** The whole message, with all its parts. It has files only if the function has `supportsFiles`. */
  readonly content: Content;
}

/**
 * A function agent's answer: text, a message, a reply with the steps of the turn, a result of the AI SDK, or a whole
 * invocation. It is stored as JSON, with dates as text. Returning values that JSON would lose, such as `NaN`, a bigint or
 * a Map, is an error of that turn.
 */
export type AgentReply = string | Content | FunctionReply | AiSdkResult | Invocation;

/** A stream of pieces of the answer and of steps. Text before a call is not a part of the answer. */
// biome-ignore lint/suspicious/noConfusingVoidType: the type of generators that return nothing.
export type AgentStream = AsyncIterable<string | FunctionStep, AgentReply | void>;

export type AgentOutput = AgentReply | AgentStream;

/** The answer of a turn, with its steps. */
export interface FunctionReply {
  readonly text: string;
  /** The calls in the order in which they happened, preferably with their results. Default: none. */
  readonly toolCalls?: readonly ReportedCall[] | undefined;
  /** Results of calls that do not have them, paired by id or, without ids, by name in order. Default: none. */
  readonly toolResponses?: readonly FunctionResponse[] | undefined;
  /**
   * The calls, texts and model calls of the turn in the order in which they happened, instead of `toolCalls`.
   * Default: none.
   */
  readonly steps?: readonly FunctionStep[] | undefined;
  /**
   * The tokens of each model call, or of all together, with its `model`. The spellings of the AI SDK, OpenAI and Gemini
   * are read. Default: not recorded.
   */
  readonly usage?: object | readonly object[] | undefined;
  /** The sources of the answer, in the format of Gemini's grounding metadata. Default: none. */
  readonly grounding?: unknown;
  /** Why the answer is incomplete, such as `length`: criteria that read answers cannot judge it. Default: complete. */
  readonly cutOff?: string | undefined;
}

/** A step of a turn: a tool call, a text that is not the answer, or a model call. */
export type FunctionStep = ReportedCall | FunctionText | FunctionModelCall;

/** A text on the way to the answer, for example by a sub-agent. */
export interface FunctionText {
  readonly text: string;
  /** The agent that wrote it. Default: the agent under test. */
  readonly author?: string | undefined;
}

/** A call to a model and its tokens. */
export interface FunctionModelCall {
  readonly usage: object;
  readonly model?: string | undefined;
  /** The agent that made it. Default: the agent under test. */
  readonly author?: string | undefined;
}
