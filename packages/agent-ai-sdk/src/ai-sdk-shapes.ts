// The parts of the AI SDK that are used here, as structural types: nothing is imported from the package `ai`, so an agent
// of either major version works with the copy that it was made with.

/** A `ToolLoopAgent` of the AI SDK, or another agent with its interface. */
export interface AiSdkAgentObject {
  readonly version: 'agent-v1';
  readonly id?: string | undefined;
  readonly tools?: object | undefined;
  generate(options: never): PromiseLike<unknown>;
  stream(options: never): PromiseLike<unknown>;
}

/** Tools by name, as the AI SDK takes them. */
export type AiSdkTools = Readonly<Record<string, object>>;

/** A tool, as far as it is run here. */
export interface AiSdkTool {
  readonly type?: unknown;
  readonly execute?: ToolExecute | undefined;
}

export type ToolExecute = (input: unknown, options: ToolOptions) => unknown;

export interface ToolOptions {
  readonly toolCallId?: unknown;
}

/** The arguments of `prepareCall`, which are those of `generateText` later. */
export interface PreparedCall {
  readonly instructions?: unknown;
  readonly tools?: AiSdkTools | undefined;
  readonly prepareStep?: ((options: PrepareStepOptions) => unknown) | undefined;
  readonly [key: string]: unknown;
}

export interface PrepareStepOptions {
  readonly messages?: unknown;
}

/** The settings of a `ToolLoopAgent`, which are private in its type. */
export interface AgentSettings extends PreparedCall {
  readonly prepareCall?: ((call: PreparedCall) => unknown) | undefined;
}

/** An agent whose settings can be replaced. */
export interface ConfiguredAgent extends AiSdkAgentObject {
  readonly settings: AgentSettings;
}

/** Whether a value is an agent of the AI SDK. It is recognised by its shape, because there may be several copies of it. */
export function isAiSdkAgent(value: unknown): value is AiSdkAgentObject {
  if (typeof value !== 'object' || value === null || 'open' in value) return false;
  const { version, generate, stream } = value as Readonly<Record<string, unknown>>;
  return version === 'agent-v1' && typeof generate === 'function' && typeof stream === 'function';
}

/** Whether an agent keeps its settings in an object, as `ToolLoopAgent` does. */
export function isConfigured(agent: AiSdkAgentObject): agent is ConfiguredAgent {
  const { settings } = agent as { readonly settings?: unknown };
  return typeof settings === 'object' && settings !== null;
}

/** Returns the text of instructions: a string, a system message, or a list of these. */
export function textOfInstructions(instructions: unknown): string | undefined {
  if (typeof instructions === 'string') return instructions === '' ? undefined : instructions;
  if (Array.isArray(instructions)) {
    const texts = instructions.map(textOfInstructions).filter((text) => text !== undefined);
    return texts.length === 0 ? undefined : texts.join('\n');
  }
  if (typeof instructions !== 'object' || instructions === null || !('content' in instructions)) return undefined;
  return textOfInstructions(instructions.content);
}
