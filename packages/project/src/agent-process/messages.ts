import type {
  AgentDescription,
  AgentTurn,
  Content,
  ErrorInfo,
  Json,
  Part,
  Problem,
  SessionStart,
  State,
} from '@agent-criteria/core';
import type { ArtifactVersions, ToolCall, ToolEnvironment } from '@agent-criteria/core/host';

/** The version of the messages. Both ends belong to one installation, which may have been replaced under a running process. */
export const MESSAGES_VERSION = 2;

/** The most bytes of one message, as JSON. */
export const LONGEST_MESSAGE = 32 * 1024 * 1024;

/** The most bytes of the events of one turn. */
export const MOST_EVENT_BYTES = 64 * 1024 * 1024;

/** Descriptors of the pipes in the process of the agent. Standard output and errors belong to the agent. */
export const REQUESTS = 3;
export const ANSWERS = 4;

/** The agent to load, and how. */
export interface LoadRequest {
  readonly version: number;
  /** Its module or folder, relative to the working folder. */
  readonly path: string;
  readonly agentName?: string | undefined;
  /** Whether the project's config has agent adapters, so that it has to be loaded there. */
  readonly usesProjectPlugins: boolean;
  /** The eval set files whose configs have agent adapters. */
  readonly evalSets: readonly string[];
  readonly maskSecrets: boolean;
}

/** A loaded agent. */
export interface LoadedDescription {
  readonly name: string;
  readonly supportsStubs: boolean;
  readonly supportsHistory: boolean;
  readonly supportsFiles: boolean;
  readonly canDescribe: boolean;
  readonly canCheck: boolean;
}

/** An open session. */
export interface SessionDescription {
  readonly id: string;
  readonly changesState: boolean;
  readonly hasArtifacts: boolean;
}

type Session = { readonly session: number };

/** The start of a session without its functions. */
export interface SentStart extends Omit<SessionStart, 'environment'> {
  /** The environment, whose answers the process asks for. */
  readonly environment?: Omit<ToolEnvironment, 'answer'> | undefined;
}

/** The calls to the process of an agent: what they are given, and what they return. */
export interface Calls {
  load: { given: LoadRequest; result: LoadedDescription };
  describe: { given: object; result: AgentDescription | null };
  check: { given: object; result: readonly Problem[] };
  open: { given: Session & { readonly start: SentStart }; result: SessionDescription };
  send: {
    given: Session & { readonly message: Content; readonly streaming?: boolean | undefined; readonly events: boolean };
    result: AgentTurn;
  };
  state: { given: Session; result: State | null };
  changeState: { given: Session & { readonly delta: State }; result: null };
  listArtifacts: { given: Session; result: readonly ArtifactVersions[] };
  loadArtifact: { given: Session & { readonly name: string; readonly version: number }; result: Part | null };
  close: { given: Session; result: null };
  /** Answered as soon as the event loop is free. */
  ping: { given: object; result: null };
}

export type Method = keyof Calls;

/** A message to the process of an agent. */
export type ToAgent =
  | { [Name in Method]: { readonly call: number; readonly method: Name; readonly given: Calls[Name]['given'] } }[Method]
  /** Aborts a call, with the reason that its signal gives there. */
  | { readonly abort: number; readonly reason: WrittenError }
  /** Answers a question of the process. */
  | { readonly reply: number; readonly result: State }
  | { readonly reply: number; readonly error: WrittenError };

/** A message from the process of an agent. */
export type FromAgent =
  | { readonly answer: number; readonly result: unknown }
  | { readonly answer: number; readonly error: WrittenError }
  /** An event of the turn of a call. */
  | { readonly event: number; readonly value: Json }
  /** Asks for the answer of a simulated tool of a session, which is replied to. */
  | ({ readonly ask: number; readonly toolCall: ToolCall } & Session)
  /** Files that the agent loaded, none of them reported before. */
  | { readonly files: readonly string[] };

/** An error with everything that can be shown of it. */
export interface WrittenError extends Pick<ErrorInfo, 'message' | 'stack'> {
  /** The problems of a CriteriaError. Default: it is another error. */
  readonly problems?: readonly Problem[] | undefined;
  readonly name?: string | undefined;
}
