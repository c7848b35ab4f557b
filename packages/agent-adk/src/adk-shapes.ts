import type { Content, Part } from '@agent-criteria/core';

// The parts of @google/adk that are used here, as structural types. ADK marks its objects with symbols from the global
// registry, so they are recognised whichever installed copy created them, and our declarations do not depend on the
// package.

/** An agent, App or workflow from `@google/adk`. */
export interface AdkRoot {
  readonly name: string;
}

export interface AdkApp extends AdkRoot {
  readonly rootAgent: AdkNode;
  readonly plugins?: readonly object[];
}

/** An agent, a workflow, or a node of a workflow. */
export interface AdkNode extends AdkRoot {
  readonly description?: string;
  readonly parentAgent?: AdkNode;
  readonly subAgents?: readonly AdkNode[];
  readonly tools?: readonly unknown[];
  readonly instruction?: unknown;
  readonly graph?: { readonly nodes?: Iterable<unknown> };
  /** Set on nodes that call a tool. */
  readonly tool?: unknown;
}

export interface AdkTool {
  readonly name: string;
  readonly description?: string;
  /** The agent that the tool runs. */
  readonly agent?: unknown;
  /** The node that the tool runs. */
  readonly node?: unknown;
  _getDeclaration?(): unknown;
  runAsync(request: ToolRequest): Promise<unknown>;
}

export interface AdkAgentTool extends AdkTool {
  readonly agent: RunnableAgent;
}

export interface RunnableAgent extends AdkNode {
  runAsync(context: InvocationContext): AsyncGenerator<AdkEvent>;
  findAgent(name: string): RunnableAgent | undefined;
  findSubAgent(name: string): RunnableAgent | undefined;
}

export interface AdkToolset {
  getTools(): Promise<readonly unknown[]>;
  close(): Promise<void>;
}

export interface ToolRequest {
  readonly args: Readonly<Record<string, unknown>>;
  readonly toolContext: CallbackContext;
}

/** ADK's context for one turn. */
export interface InvocationContext {
  readonly invocationId: string;
  readonly branch?: string;
  readonly agent?: AdkNode;
  pluginManager?: unknown;
  invocationCostManager?: unknown;
  runConfig?: unknown;
}

/** The context passed to model and tool callbacks. */
export interface CallbackContext {
  readonly invocationContext: InvocationContext;
  readonly functionCallId?: string;
  /** The same object in all callbacks for one model call. */
  readonly actions: object;
}

export interface LlmRequest {
  readonly model?: string;
  readonly contents?: unknown;
  config?: Readonly<Record<string, unknown>>;
  readonly toolsDict?: Record<string, AdkTool>;
}

export interface LlmResponse {
  readonly content?: unknown;
  readonly partial?: boolean;
  readonly usageMetadata?: unknown;
  readonly errorCode?: string;
  readonly errorMessage?: string;
  readonly [key: string]: unknown;
}

/** An event emitted during a turn. */
export interface AdkEvent {
  readonly invocationId?: string;
  readonly author?: string;
  readonly branch?: string;
  readonly content?: Content | null;
  readonly partial?: boolean;
  readonly actions?: {
    readonly skipSummarization?: boolean;
    readonly requestedAuthConfigs?: Readonly<Record<string, unknown>>;
    readonly stateDelta?: Readonly<Record<string, unknown>>;
  };
  readonly longRunningToolIds?: readonly string[];
  readonly interrupted?: boolean;
  readonly finishReason?: string;
  readonly errorCode?: string;
  readonly errorMessage?: string;
  readonly usageMetadata?: unknown;
  readonly groundingMetadata?: unknown;
  /** The pages that the service of the model read. Models of others may report it; ADK 2.0's own drops it. */
  readonly urlContextMetadata?: unknown;
  readonly modelVersion?: string;
  /** Set on events from workflow nodes. */
  readonly nodeInfo?: { readonly path?: string; readonly outputFor?: readonly string[] };
  readonly output?: unknown;
}

export interface AdkSessionService {
  createSession(request: {
    readonly appName: string;
    readonly userId: string;
    readonly sessionId?: string;
    readonly state: object;
  }): Promise<AdkSession>;
  getSession(request: {
    readonly appName: string;
    readonly userId: string;
    readonly sessionId: string;
  }): Promise<AdkSession | undefined>;
  appendEvent(request: { readonly session: AdkSession; readonly event: AdkEvent }): Promise<AdkEvent>;
}

export interface AdkSession {
  readonly id: string;
  readonly state: unknown;
  readonly events: readonly AdkEvent[];
}

/** The key of an artifact. */
export interface AdkArtifactKey {
  readonly appName: string;
  readonly userId: string;
  readonly sessionId: string;
  readonly filename: string;
}

export interface AdkArtifactService {
  listArtifactKeys(session: Omit<AdkArtifactKey, 'filename'>): Promise<readonly string[]>;
  listVersions(key: AdkArtifactKey): Promise<readonly number[]>;
  saveArtifact(file: AdkArtifactKey & { readonly artifact: Part }): Promise<number>;
  loadArtifact(key: AdkArtifactKey & { readonly version: number }): Promise<Part | undefined>;
}

export interface AdkRunner {
  readonly appName: string;
  readonly sessionService: AdkSessionService;
  readonly artifactService: AdkArtifactService;
  runAsync(request: {
    readonly userId: string;
    readonly sessionId: string;
    readonly newMessage: object;
    readonly runConfig: object;
    readonly abortSignal: AbortSignal;
  }): AsyncGenerator<AdkEvent>;
}

/** ADK's logger. */
export interface AdkLogger {
  setLogLevel(level: number): void;
  log(level: number, ...messages: unknown[]): void;
  debug(...messages: unknown[]): void;
  info(...messages: unknown[]): void;
  warn(...messages: unknown[]): void;
  error(...messages: unknown[]): void;
}

/** The `@google/adk` module. */
export interface AdkModule {
  readonly InMemoryRunner: new (parameters: {
    readonly app?: object;
    readonly agent?: object;
    readonly appName?: string;
    readonly plugins?: readonly object[];
  }) => AdkRunner;
  /** Fills in the remaining fields of an event. */
  createEvent(event: object): AdkEvent;
  readonly BasePlugin: new (name: string) => object;
  readonly BaseAgent: abstract new (...parameters: never[]) => object;
  readonly App: new (...parameters: never[]) => object;
  getLogger(): AdkLogger;
  setLogger(logger: AdkLogger): void;
}

function marked(value: unknown, mark: string): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return (value as { readonly [symbol: symbol]: unknown })[Symbol.for(mark)] === true;
}

export function isApp(value: unknown): value is AdkApp {
  return marked(value, 'google.adk.app');
}

/** Whether ADK can run the value on its own, that is, whether it is an agent or a workflow. */
export function isRunnableRoot(value: unknown): value is AdkNode {
  return marked(value, 'google.adk.baseAgent') || isWorkflow(value);
}

export function isWorkflow(value: unknown): value is AdkNode {
  return marked(value, 'google.adk.workflow.workflow');
}

export function isToolset(value: unknown): value is AdkToolset {
  return marked(value, 'google.adk.baseToolset');
}

export function isTool(value: unknown): value is AdkTool {
  return marked(value, 'google.adk.baseTool');
}

export function isAgentTool(value: unknown): value is AdkAgentTool {
  return marked(value, 'google.adk.agentTool');
}

/** Returns an App's agent or workflow, or the root itself if it is not an App. */
export function rootOf(root: AdkRoot): AdkNode {
  return isApp(root) ? root.rootAgent : root;
}
