import type { ToolStubs } from '@agent-criteria/calls';
import { toJson } from '@agent-criteria/calls/json';
import { type ErrorInfo, type State, toErrorInfo } from '@agent-criteria/core';
import {
  type AdkEvent,
  type AdkModule,
  type AdkTool,
  type CallbackContext,
  type InvocationContext,
  isAgentTool,
  type LlmRequest,
  type LlmResponse,
} from './adk-shapes.ts';
import { type NestedHooks, runsNested } from './nested-agent.ts';
import type { SpanRecorder } from './record-spans.ts';

/** The turn in progress, to which a session's callbacks report. */
export interface CurrentTurn {
  /** ADK's id of the turn, or `null` if ADK has not started it yet. */
  invocationId: string | null;
  readonly recorder: SpanRecorder;
  /** Aborts when the turn must stop. */
  readonly signal: AbortSignal;
  /** Stops the turn and marks it as failed. */
  fail(error: ErrorInfo): void;
  /** Records an event from an agent that a tool runs, because ADK does not yield such events. */
  seeNested(event: AdkEvent): void;
}

interface ModelCallback {
  readonly callbackContext: CallbackContext;
  readonly llmRequest: LlmRequest;
  readonly llmResponse: LlmResponse;
  readonly error: unknown;
}

interface ToolCallback {
  readonly tool: AdkTool;
  readonly toolArgs: Readonly<Record<string, unknown>>;
  readonly toolContext: CallbackContext;
  readonly result: unknown;
  readonly error: unknown;
}

/**
 * Creates the plugin that observes a session. It runs before all others, does not modify requests except to set
 * retries, and writes nothing to the session's state.
 *
 * @param retryOptions Retries for Gemini's client, unless the agent sets its own; `null` for the client's defaults.
 */
export function capturePlugin(adk: AdkModule, retryOptions: State | null, turn: () => CurrentTurn): object {
  const hooks: NestedHooks = {
    started: (context, toolContext) => turn().recorder.nested(context.invocationId, toolContext),
    event: (event) => turn().seeNested(event),
  };
  return Object.assign(new adk.BasePlugin('agent_criteria'), {
    // Runs before ADK writes anything about the turn to the session. Agents behind tools have their own invocations.
    async onUserMessageCallback({ invocationContext }: { readonly invocationContext: InvocationContext }) {
      turn().invocationId ??= invocationContext.invocationId;
    },
    async beforeModelCallback({ callbackContext, llmRequest }: ModelCallback): Promise<undefined> {
      if (retryOptions !== null) llmRequest.config = withRetries(llmRequest.config, retryOptions);
      const { toolsDict = {} } = llmRequest;
      for (const [name, tool] of Object.entries(toolsDict)) {
        if (isAgentTool(tool)) toolsDict[name] = runsNested(tool, hooks);
      }
      turn().recorder.modelStarted(callbackContext, llmRequest);
    },
    async afterModelCallback({ callbackContext, llmResponse }: ModelCallback): Promise<undefined> {
      turn().recorder.modelAnswered(callbackContext, llmResponse);
    },
    async onModelErrorCallback({ callbackContext, error }: ModelCallback): Promise<undefined> {
      turn().recorder.modelFailed(callbackContext, toErrorInfo(error, 'AGENT_FAILED'));
    },
    async beforeToolCallback({ tool, toolArgs, toolContext }: ToolCallback): Promise<undefined> {
      turn().recorder.toolStarted(toolContext, tool.name, toolArgs);
    },
    async onToolErrorCallback({ toolContext, error }: ToolCallback): Promise<undefined> {
      turn().recorder.toolFailed(toolContext, toErrorInfo(error, 'AGENT_FAILED'));
    },
    async afterToolCallback({ toolContext, result }: ToolCallback): Promise<undefined> {
      turn().recorder.toolEnded(toolContext, result);
    },
  });
}

/** Copies the config instead of modifying it, because it may belong to the agent. */
function withRetries(config: LlmRequest['config'], retryOptions: State): Readonly<Record<string, unknown>> {
  const httpOptions = (config?.httpOptions ?? {}) as Readonly<Record<string, unknown>>;
  return { ...config, httpOptions: { retryOptions, ...httpOptions } };
}

/**
 * Creates the plugin that answers in place of stubbed tools. It runs after all others, so that an App's guard plugin
 * can still block a call.
 */
export function stubPlugin(adk: AdkModule, stubs: ToolStubs, turn: () => CurrentTurn): object {
  return Object.assign(new adk.BasePlugin('agent_criteria_stubs'), {
    async beforeToolCallback({ tool, toolArgs, toolContext }: ToolCallback): Promise<State | undefined> {
      const { recorder, signal, fail } = turn();
      if (isOfAdk(tool) && !stubs.has(tool.name)) return undefined;
      try {
        const stubbed = await stubs.call(tool.name, toJson(toolArgs) as State, signal);
        if (stubbed === null) return undefined;
        // After an abort, the real tool must not be called.
        if (signal.aborted) return {};
        if (stubbed.response !== null) recorder.toolSimulated(toolContext, stubbed.by);
        return stubbed.response ?? undefined;
      } catch (error) {
        if (signal.aborted) return {};
        const failure = toErrorInfo(error);
        recorder.toolFailed(toolContext, failure);
        fail(failure);
        return {};
      }
    },
  });
}

/** The names of tools with which agents are led, and which reach nothing outside of ADK. */
const ADK_TOOLS: ReadonlySet<string> = new Set(['transfer_to_agent', 'exit_loop', 'set_model_response', 'finish_task']);

/** Whether a tool belongs to ADK itself, or runs an agent, whose own tools are asked for in turn. */
function isOfAdk(tool: AdkTool): boolean {
  return isAgentTool(tool) || ADK_TOOLS.has(tool.name);
}
