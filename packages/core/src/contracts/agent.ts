import type {
  Content,
  ErrorInfo,
  FunctionCall,
  FunctionResponse,
  Invocation,
  Json,
  Part,
  Problem,
  State,
  ToolSimulationConfig,
} from '@agent-criteria/formats';
import type { Registered } from './registered.ts';
import type { Span, UnitKey } from './transcript.ts';

/** The thing under test. It sees ids and messages, never references, rubrics or scores. */
export interface Agent {
  readonly name: string;
  /** Whether its sessions honour `stubs`. Without, cases that stub tools are refused before they run. Default `false`. */
  readonly supportsStubs?: boolean | undefined;
  /** Whether its sessions continue a `history` without running anything of it again. Default `false`. */
  readonly supportsHistory?: boolean | undefined;
  /** A fresh session: nothing of an earlier one may be visible in it. */
  open(start: SessionStart, signal: AbortSignal): Promise<AgentSession>;
  /** What it is, without running it; `null` if unknown. */
  describe?(signal?: AbortSignal): Promise<AgentDescription | null>;
  /**
   * What would break every session alike, as a server that is down: asked once before the first one of a run, which does
   * not begin with any. Default: nothing is looked at.
   */
  check?(signal?: AbortSignal): Promise<readonly Problem[]>;
}

/** An agent and those below it, as far as they show without a run. */
export interface AgentDescription {
  readonly name: string;
  /** As "LlmAgent". */
  readonly type?: string | undefined;
  readonly description?: string | undefined;
  /** As written, with placeholders; absent where they are made anew for each call. */
  readonly instructions?: string | undefined;
  /** Declarations as a model gets them: objects with a `name`. */
  readonly tools?: readonly State[] | undefined;
  /** Names of tools that the model's own service works, as a search: they are never called here, and no stub reaches them. */
  readonly modelTools?: readonly string[] | undefined;
  /** Why `tools` lacks some, as a server of tools that cannot be reached. Default: it is whole. */
  readonly toolsMissing?: string | undefined;
  /** Those below it, and those that its tools run. */
  readonly agents?: readonly AgentDescription[] | undefined;
}

export interface SessionStart {
  readonly key: UnitKey;
  readonly userId: string;
  readonly sessionId?: string | undefined;
  /** The state that the case seeds; a copy, the session's own. With a history: the state after it. */
  readonly state: State;
  /**
   * What was said and done before, for agents with `supportsHistory`: the session goes on from there. Where it cannot after
   * all, as on a server of an older release, `open` throws `NOT_SUPPORTED`. Default: nothing.
   */
  readonly history?: readonly EarlierTurn[] | undefined;
  /** Files that were saved in the history, each with its versions, the oldest first. An agent that keeps none leaves them out. */
  readonly artifacts?: readonly { readonly name: string; readonly versions: readonly Part[] }[] | undefined;
  /** What answers instead of tools: open them with `openStubs(stubs, key)`. Default: nothing. */
  readonly stubs?: readonly ToolSimulationConfig[] | undefined;
}

/** A turn of a conversation that goes on in another session. */
export interface EarlierTurn {
  readonly invocation: Invocation;
  /** Its events: the user's message, then what the agent reported. Default: it reported none. */
  readonly events?: readonly Json[] | undefined;
}

export interface AgentSession {
  readonly id: string;
  /** One user turn. A failure of the agent is a rejection or `error`, never an answer. */
  send(message: Content, options?: SendOptions): Promise<AgentTurn>;
  /** The state as it is now, or `null` if unknown. */
  state(): Promise<State | null>;
  /** Changes the state between two turns, and leaves other keys alone. Default: it takes state only at its beginning. */
  changeState?(delta: State): Promise<void>;
  /** The files that it saved. Default: it saves none. */
  readonly artifacts?: AgentArtifacts | undefined;
  close(): Promise<void>;
}

/** How one turn is run. */
export interface SendOptions {
  /** Called with each event of the turn as the agent reports it. */
  readonly onEvent?: ((event: Json) => void) | undefined;
  /** Stops this turn only: the session takes another message afterwards. */
  readonly signal?: AbortSignal | undefined;
  /** Whether pieces of an answer are reported as they come, before the whole. Default: as the agent is set up. */
  readonly streaming?: boolean | undefined;
}

/** Files that an agent saved in a session, each in versions. */
export interface AgentArtifacts {
  list(): Promise<readonly ArtifactVersions[]>;
  /** `null`: there is no such version. */
  load(name: string, version: number): Promise<Part | null>;
}

export interface ArtifactVersions {
  readonly name: string;
  /** The oldest first. */
  readonly versions: readonly number[];
}

export interface AgentTurn {
  readonly invocation: Invocation;
  readonly trace?: readonly Span[] | undefined;
  /**
   * Why the answer is not whole, as `interrupted` or `MAX_TOKENS`: criteria that read answers cannot judge it. Default: as the
   * events of the invocation say, else it is whole.
   */
  readonly cutOff?: string | undefined;
  readonly error?: ErrorInfo | undefined;
}

/** An agent as a plain function: the text of the user's message in, the answer out. */
export type AgentFunction = (message: string, session: FunctionSession) => AgentReply | Promise<AgentReply>;

/** What a function agent knows of its session. */
export interface FunctionSession {
  readonly id: string;
  readonly userId: string;
  readonly key: UnitKey;
  /** Seeded by the case; change it in place to keep something for the next turn. */
  readonly state: Record<string, Json>;
  /** The turns before this one. */
  readonly history: readonly Invocation[];
  /** The message as it came, with all its parts. */
  readonly content: Content;
  /** Aborts at the end of the turn's time or of the run. */
  readonly signal: AbortSignal;
}

/**
 * What a function agent may return: text, a message, a text with the tools it called, or a whole invocation. All of it is
 * kept as JSON, a date as its text. What JSON would lose, as `NaN`, a bigint or a Map, is an error of the turn.
 */
export type AgentReply = string | Content | FunctionReply | Invocation;

export interface FunctionReply {
  readonly text: string;
  readonly toolCalls?: readonly FunctionCall[] | undefined;
  readonly toolResponses?: readonly FunctionResponse[] | undefined;
}

/** Turns what a module exports into an agent: for frameworks whose agents are objects of their own. */
export interface AgentAdapter extends Registered<'agent-adapter'> {
  accepts(exported: unknown): boolean;
  adapt(exported: unknown, file: string): Agent;
}
