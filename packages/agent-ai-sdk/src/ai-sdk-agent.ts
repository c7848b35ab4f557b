import { type Agent, type AgentDescription, CriteriaError, type State, type UnitKey } from '@agent-criteria/core';
import { type AiSdkResult, toolDeclarations } from '@agent-criteria/formats/messages';
import {
  type AiSdkAgentObject,
  type AiSdkTool,
  type AiSdkTools,
  isAiSdkAgent,
  isConfigured,
  textOfInstructions,
} from './ai-sdk-shapes.ts';
import type { AiSdkModelMessage } from './model-messages.ts';
import { openSession } from './open-session.ts';
import { sourceOfAgent, sourceOfFunction } from './turn-sources.ts';

/** Options for an agent of the AI SDK under test. */
export interface AiSdkAgentOptions {
  /** The name in results. Default: the agent's `id`, or else `agent`. */
  readonly name?: string | undefined;
  /**
   * Whether answers are streamed (`stream` instead of `generate`) where the caller has no preference. The chat of the
   * studio has one. Default `false`.
   */
  readonly streaming?: boolean | undefined;
  /**
   * Creates the `options` of each call, for agents with a `callOptionsSchema`, from the session, such as its initial
   * state. Default: calls have none, and cases with an initial state are rejected.
   */
  readonly callOptions?: ((session: AiSdkSession) => unknown) | undefined;
}

/** Options for a function that calls the AI SDK. */
export interface AiSdkFunctionOptions<TOOLS extends AiSdkTools = AiSdkTools> {
  /** The name in results. Default: the function's, or else `agent`. */
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  /** The system instructions. Judges read them. Default: not recorded. */
  readonly instructions?: string | undefined;
  /**
   * The tools, which the function gets back as `call.tools`, so that their runs are recorded and can be stubbed. Default:
   * none, and cases with stubs are rejected.
   */
  readonly tools?: TOOLS | undefined;
}

/** The arguments for `generateText` or `streamText` in one turn, to which the function adds its own. */
export interface AiSdkAgentCall<TOOLS extends AiSdkTools = AiSdkTools> {
  /** The conversation so far, and the user's message. */
  messages: AiSdkModelMessage[];
  /** The declared tools. Stubs answer for those that a case stubs. */
  tools: TOOLS;
  /** Aborts when the turn's time is up. */
  abortSignal: AbortSignal;
}

/** A session of an agent. */
export interface AiSdkSession {
  readonly id: string;
  readonly userId: string;
  readonly key: UnitKey;
  /** The initial state of the case. */
  readonly state: State;
}

/** A function that answers with a result of `generateText` or `streamText`. */
export type AiSdkFunction<TOOLS extends AiSdkTools = AiSdkTools> = (
  call: AiSdkAgentCall<TOOLS>,
  session: AiSdkSession,
) => AiSdkResult | PromiseLike<AiSdkResult>;

/**
 * Wraps an agent of the AI SDK, such as a `ToolLoopAgent`, as an agent under test. Nothing in the agent is changed. Such
 * an agent can also be exported as it is; this function is for its options.
 *
 *     export default aiSdkAgent(supportAgent, { callOptions: ({ state }) => ({ plan: state.plan }) });
 *
 * @throws CriteriaError AGENT_NOT_FOUND for any other value.
 */
export function aiSdkAgent(agent: AiSdkAgentObject, options?: AiSdkAgentOptions): Agent;
/**
 * Wraps a function that calls `generateText` or `streamText` as an agent under test.
 *
 *     export default aiSdkAgent((call) => streamText({ model, system, ...call }), { name: 'desk', tools });
 */
export function aiSdkAgent<TOOLS extends AiSdkTools = Record<never, never>>(
  run: AiSdkFunction<TOOLS>,
  options?: AiSdkFunctionOptions<TOOLS>,
): Agent;
export function aiSdkAgent(
  source: AiSdkAgentObject | AiSdkFunction<AiSdkTools>,
  options: AiSdkAgentOptions & AiSdkFunctionOptions = {},
): Agent {
  if (typeof source === 'function') return agentOfFunction(source, options);
  if (isAiSdkAgent(source)) return agentOfObject(source, options);
  const found = source === null ? 'null' : `a value of type ${typeof source}`;
  const message = `${found} is not an agent of the AI SDK: use a ToolLoopAgent, or a function (call) => generateText({ model, ...call })`;
  throw new CriteriaError({ code: 'AGENT_NOT_FOUND', message });
}

function agentOfObject(agent: AiSdkAgentObject, { name: given, streaming, callOptions }: AiSdkAgentOptions): Agent {
  const name = given ?? (agent.id || 'agent');
  const description = describeAgent(agent, name);
  return {
    name,
    supportsHistory: true,
    supportsFiles: true,
    supportsStubs: isConfigured(agent),
    describe: async () => description,
    async open(start, signal) {
      if (callOptions === undefined && Object.keys(start.state).length > 0) throw noState(name);
      const run = sourceOfAgent(agent, { streaming: streaming ?? false, callOptions });
      return openSession({ name, description, run }, start, signal);
    },
  };
}

function agentOfFunction(run: AiSdkFunction<AiSdkTools>, options: AiSdkFunctionOptions): Agent {
  const { description: about, instructions, tools } = options;
  const name = options.name ?? (run.name || 'agent');
  const description: AgentDescription = {
    name,
    ...(about === undefined ? {} : { description: about }),
    ...(instructions === undefined ? {} : { instructions }),
    ...(tools === undefined ? {} : describeTools(tools)),
  };
  return {
    name,
    supportsHistory: true,
    supportsFiles: true,
    supportsStubs: tools !== undefined,
    describe: async () => description,
    open: async (start, signal) =>
      openSession({ name, description, run: sourceOfFunction(run, tools ?? {}) }, start, signal),
  };
}

function describeAgent(agent: AiSdkAgentObject, name: string): AgentDescription {
  const settings = isConfigured(agent) ? agent.settings : {};
  const instructions = textOfInstructions(settings.instructions);
  const changes = settings.prepareCall === undefined ? {} : { toolsMissing: 'prepareCall may add tools to each call' };
  return {
    name,
    type: agent.constructor.name,
    ...(instructions === undefined ? {} : { instructions }),
    ...describeTools((agent.tools ?? {}) as AiSdkTools),
    ...changes,
  };
}

function describeTools(tools: AiSdkTools): Pick<AgentDescription, 'tools' | 'modelTools'> {
  const modelTools = Object.entries(tools).flatMap(([name, tool]) => {
    const { type, execute } = tool as AiSdkTool;
    return type === 'provider' && typeof execute !== 'function' ? [name] : [];
  });
  return { tools: toolDeclarations(tools), ...(modelTools.length === 0 ? {} : { modelTools }) };
}

function noState(name: string): CriteriaError {
  const message = `the case sets an initial state, but the agent "${name}" of the AI SDK has none: pass it on with aiSdkAgent(agent, { callOptions: ({ state }) => ... }), or remove session_input.state`;
  return new CriteriaError({ code: 'NOT_SUPPORTED', message });
}
