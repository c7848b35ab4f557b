import type {
  Content,
  ErrorInfo,
  Invocation,
  Json,
  Part,
  Problem,
  State,
  ToolSimulationConfig,
} from '@agent-criteria/formats';
import type { Registered } from './registered.ts';
import type { Span, UnitKey } from './transcript.ts';

/** The agent under test. It sees no references, rubrics or scores of the turns that it answers. */
export interface Agent {
  readonly name: string;
  /**
   * Whether its sessions honour `stubs`. If not, cases that stub tools are rejected before they run. Default `false`.
   */
  readonly supportsStubs?: boolean | undefined;
  /** Whether its sessions can continue a `history` without repeating its turns. Default `false`. */
  readonly supportsHistory?: boolean | undefined;
  /**
   * Whether its sessions take files in the user's messages: parts with `inlineData` or `fileData`. If not, cases with
   * files are rejected before they run, and the studio does not attach any. Default `false`.
   */
  readonly supportsFiles?: boolean | undefined;
  /** Opens a fresh session, which sees no state from earlier ones. */
  open(start: SessionStart, signal: AbortSignal): Promise<AgentSession>;
  /** Describes the agent without running it. Returns `null` if that is not possible. */
  describe?(signal?: AbortSignal): Promise<AgentDescription | null>;
  /**
   * Finds problems that would break every session, such as an unreachable server. Called before a run, which does not
   * start if there are any. Default: no check.
   */
  check?(signal?: AbortSignal): Promise<readonly Problem[]>;
}

/** An agent and its sub-agents, as far as they are known without running them. */
export interface AgentDescription {
  readonly name: string;
  /** For example "LlmAgent". */
  readonly type?: string | undefined;
  readonly description?: string | undefined;
  /** As written, with placeholders. Absent if they are computed for each call. */
  readonly instructions?: string | undefined;
  /** Declarations as the model receives them: objects with a `name`. */
  readonly tools?: readonly State[] | undefined;
  /**
   * Names of tools that the model's provider runs itself, such as a search. They are never called here and cannot be
   * stubbed.
   */
  readonly modelTools?: readonly string[] | undefined;
  /** Why `tools` is incomplete, for example because a tool server cannot be reached. Default: `tools` is complete. */
  readonly toolsMissing?: string | undefined;
  /** Sub-agents, and agents that its tools run. */
  readonly agents?: readonly AgentDescription[] | undefined;
}

export interface SessionStart {
  readonly key: UnitKey;
  readonly userId: string;
  readonly sessionId?: string | undefined;
  /** The case's initial state; a copy that belongs to the session. With a history, the state after that history. */
  readonly state: State;
  /**
   * Earlier turns, for agents with `supportsHistory`: the session continues after them. If it cannot, for example
   * because a server is too old, `open` throws `NOT_SUPPORTED`. Default: none.
   */
  readonly history?: readonly EarlierTurn[] | undefined;
  /** Files saved during the history, with their versions, oldest first. Ignored by agents without files. */
  readonly artifacts?: readonly { readonly name: string; readonly versions: readonly Part[] }[] | undefined;
  /** Stubs that answer in place of tools. Open them with `openStubs(stubs, key, environment)`. Default: none. */
  readonly stubs?: readonly ToolSimulationConfig[] | undefined;
  /** Decides the calls that no injection of `stubs` decides. Default: the tools answer. */
  readonly environment?: ToolEnvironment | undefined;
}

/** Decides calls of tools that no injection decides. */
export interface ToolEnvironment {
  /** The treatment of calls of tools that have no stub: the tool answers, or the turn fails. */
  readonly unlistedTools: 'real' | 'error';
  /**
   * Answers a call to a tool whose stub names a tool simulator. Must be called once per call, in order.
   * @throws CriteriaError if there is no answer. The turn then fails with it, and the tool is not called.
   */
  answer(call: ToolCall): Promise<State>;
}

/** A call of a tool, as an agent makes it. */
export interface ToolCall {
  readonly tool: string;
  readonly args: State;
}

/** A turn from a conversation that another session continues. */
export interface EarlierTurn {
  readonly invocation: Invocation;
  /** The user's message and the agent's output, as events. Absent if no events were reported. */
  readonly events?: readonly Json[] | undefined;
}

export interface AgentSession {
  readonly id: string;
  /** Runs one user turn. If the agent fails, it rejects or returns an `error`, never an answer. */
  send(message: Content, options?: SendOptions): Promise<AgentTurn>;
  /** Returns the current state, or `null` if it is unknown. */
  state(): Promise<State | null>;
  /**
   * Changes the state between two turns; other keys keep their values. Absent if state can only be set at the start.
   */
  changeState?(delta: State): Promise<void>;
  /** The files that the agent saved. Absent if the agent saves none. */
  readonly artifacts?: AgentArtifacts | undefined;
  close(): Promise<void>;
}

/** Options of one turn. */
export interface SendOptions {
  /** Called with each event that the agent reports. */
  readonly onEvent?: ((event: Json) => void) | undefined;
  /** Stops only this turn; the session still accepts further messages. */
  readonly signal?: AbortSignal | undefined;
  /** Whether parts of an answer are reported before the whole answer. Default: as the agent is configured. */
  readonly streaming?: boolean | undefined;
}

/** Files that an agent saved in a session, with their versions. */
export interface AgentArtifacts {
  list(): Promise<readonly ArtifactVersions[]>;
  /** Returns `null` if there is no such version. */
  load(name: string, version: number): Promise<Part | null>;
}

export interface ArtifactVersions {
  readonly name: string;
  /** Oldest first. */
  readonly versions: readonly number[];
}

export interface AgentTurn {
  readonly invocation: Invocation;
  readonly trace?: readonly Span[] | undefined;
  /**
   * Why the answer is incomplete, such as `interrupted` or `MAX_TOKENS`: criteria that read answers cannot judge it.
   * Default: the reason in the invocation's events, if any; otherwise the answer counts as complete.
   */
  readonly cutOff?: string | undefined;
  readonly error?: ErrorInfo | undefined;
}

/** Turns a module's export into an agent, for frameworks that have their own agent objects. */
export interface AgentAdapter extends Registered<'agent-adapter'> {
  accepts(exported: unknown): boolean;
  adapt(exported: unknown, file: string): Agent;
}
