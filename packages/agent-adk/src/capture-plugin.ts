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

/** What the callbacks of one session report to: the turn under way. */
export interface CurrentTurn {
  /** Its id; `null`: ADK has not begun it. */
  invocationId: string | null;
  readonly recorder: SpanRecorder;
  /** Aborts when the turn is to stop. */
  readonly signal: AbortSignal;
  /** Stops the turn: it has failed. */
  fail(error: ErrorInfo): void;
  /** An event of an agent that a tool runs, which ADK keeps for itself. */
  seeNested(event: AdkEvent): void;
}

interface UserMessageCallback {
  readonly invocationContext: InvocationContext;
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
 * The plugin that looks on: it goes before all others, changes no request but for retries, and writes nothing into the
 * session's state.
 *
 * @param retryOptions How Gemini's client repeats a call, where the agent does not say so itself; `null`: as it likes.
 */
export function capturePlugin(adk: AdkModule, retryOptions: State | null, turn: () => CurrentTurn): object {
  const hooks: NestedHooks = {
    started: (context: InvocationContext, toolContext) => turn().recorder.nested(context.invocationId, toolContext),
    event: (event) => turn().seeNested(event),
  };
  return Object.assign(new adk.BasePlugin('agent_criteria'), {
    // Before ADK writes anything of a turn into the session. Agents behind tools have invocations of their own.
    async onUserMessageCallback({ invocationContext }: UserMessageCallback): Promise<undefined> {
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

/** In objects of their own: those of the config may be the agent's. */
function withRetries(config: LlmRequest['config'], retryOptions: State): Readonly<Record<string, unknown>> {
  const httpOptions = (config?.httpOptions ?? {}) as Readonly<Record<string, unknown>>;
  return { ...config, httpOptions: { retryOptions, ...httpOptions } };
}
