import { limitedCopies, toJson } from '@agent-criteria/calls/json';
import type { AgentDetails, ErrorInfo, Span, State } from '@agent-criteria/core';
import type { CallbackContext, LlmRequest, LlmResponse } from './adk-shapes.ts';

/** A span that can still change. */
type OpenSpan = { -readonly [Key in keyof Span]: Span[Key] };

interface ModelCall {
  readonly span: OpenSpan;
  readonly request: LlmRequest;
  isOver: boolean;
}

export type SpanRecorder = ReturnType<typeof recordSpans>;

/**
 * Records the spans of one turn: its agents, each from its first call to its last, and their model and tool calls. A
 * tool call is nested in the model call that requested it, and an agent in its parent or in the tool that runs it.
 *
 * @param turn The zero-based index of the turn.
 * @param workflow The name of the workflow that runs the turn, or `null` if an agent does. ADK calls no plugin for a
 *   workflow itself, so its span lasts from now to the end of the turn.
 */
export function recordSpans(turn: number, workflow: string | null = null) {
  const show = limitedCopies();
  const spans: OpenSpan[] = [];
  const agents = new Map<string, OpenSpan>();
  const agentDetails = new Map<string, AgentDetails>();
  const modelCalls = new Map<object, ModelCall>();
  const lastModelCalls = new Map<string, OpenSpan>();
  const toolCalls = new Map<object, OpenSpan>();
  /** The nodes of workflows that have reported something and no output yet, by path. */
  const openNodes = new Map<string, OpenSpan>();
  /** The tool call that runs each nested agent, by the agent's invocation id. */
  const outerTools = new Map<string, OpenSpan>();

  function start(span: Omit<OpenSpan, 'id' | 'turn' | 'startedAt'>): OpenSpan {
    const started = { id: `${turn + 1}.${spans.length + 1}`, turn, startedAt: Date.now(), ...span };
    spans.push(started);
    return started;
  }

  const whole = workflow === null ? undefined : start({ kind: 'agent', name: workflow, author: workflow });

  /** Returns the span of the active agent, starting one if necessary. */
  function agentOf(context: CallbackContext): OpenSpan {
    const { invocationId, agent } = context.invocationContext;
    // A tool that is a node of the workflow itself.
    if (whole !== undefined && agent?.name === whole.name && !outerTools.has(invocationId)) return whole;
    const key = agentKey(context);
    let span = agents.get(key);
    if (span === undefined) {
      const parent = outerAgent(context) ?? outerTools.get(invocationId) ?? whole;
      const name = agent?.name ?? 'agent';
      span = start({ kind: 'agent', name, author: name, parentId: parent?.id });
      agents.set(key, span);
    }
    return span;
  }

  /** Returns the span of the nearest parent agent that was active in this turn. */
  function outerAgent({ invocationContext }: CallbackContext): OpenSpan | undefined {
    const seen = new Set<object>();
    for (
      let above = invocationContext.agent?.parentAgent;
      above !== undefined && !seen.has(above);
      above = above.parentAgent
    ) {
      seen.add(above);
      const { name } = above;
      const found = [...agents.values()].find((span) => span.name === name);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Ends a span and extends its agent's span to the same time. */
  function end(span: OpenSpan, context: CallbackContext): void {
    span.endedAt = Date.now();
    agentOf(context).endedAt = span.endedAt;
  }

  function endModelCall(call: ModelCall, context: CallbackContext): void {
    call.isOver = true;
    end(call.span, context);
    describe(call);
  }

  /** Called late, because callbacks of the agent and of other plugins may still change the request. */
  function describe({ span, request }: ModelCall): void {
    span.request = show(shownRequest(request));
    const { author = '' } = span;
    if (!agentDetails.has(author)) agentDetails.set(author, detailsOf(author, request));
  }

  return {
    modelStarted(context: CallbackContext, request: LlmRequest): void {
      const agent = agentOf(context);
      const span = start({ kind: 'model', name: request.model ?? 'model', author: agent.name, parentId: agent.id });
      modelCalls.set(context.actions, { span, request, isOver: false });
      lastModelCalls.set(agentKey(context), span);
    },
    modelAnswered(context: CallbackContext, response: LlmResponse): void {
      const call = modelCalls.get(context.actions);
      if (call === undefined || response.partial) return;
      const { usageMetadata, ...shown } = response;
      call.span.response = show(shown);
      if (usageMetadata) call.span.usage = toJson(usageMetadata) as State;
      if (response.errorCode) {
        const message = [response.errorCode, response.errorMessage].filter(Boolean).join(': ');
        call.span.error = { code: 'AGENT_FAILED', message };
      }
      endModelCall(call, context);
    },
    modelFailed(context: CallbackContext, error: ErrorInfo): void {
      const call = modelCalls.get(context.actions);
      // Failures after the answer, such as a call to an unknown tool, arrive here too.
      if (call === undefined || call.isOver) return;
      call.span.error = error;
      endModelCall(call, context);
    },
    toolStarted(context: CallbackContext, name: string, args: unknown): void {
      const agent = agentOf(context);
      const parentId = (lastModelCalls.get(agentKey(context)) ?? agent).id;
      toolCalls.set(context, start({ kind: 'tool', name, author: agent.name, parentId, request: show(args) }));
    },
    toolFailed(context: CallbackContext, error: ErrorInfo): void {
      const span = toolCalls.get(context);
      if (span !== undefined) span.error = error;
    },
    toolSimulated(context: CallbackContext, by: string): void {
      const span = toolCalls.get(context);
      if (span !== undefined) span.simulated = by;
    },
    toolEnded(context: CallbackContext, result: unknown): void {
      const span = toolCalls.get(context);
      if (span === undefined) return;
      if (result !== undefined && span.error === undefined) span.response = show(result);
      end(span, context);
    },
    /**
     * Records the event of a workflow's node. The events of a node up to the one with its output are one run, because
     * nodes that run at the same time take turns, and a loop runs a node again.
     */
    nodeReported(path: string, isOutput: boolean): void {
      const span = openNodes.get(path) ?? start({ kind: 'node', name: path, parentId: whole?.id });
      span.endedAt = Date.now();
      if (isOutput) openNodes.delete(path);
      else openNodes.set(path, span);
    },
    /** Records that a tool call runs the agent with this invocation id. */
    nested(invocationId: string, toolContext: CallbackContext): void {
      const tool = toolCalls.get(toolContext);
      if (tool !== undefined) outerTools.set(invocationId, tool);
    },
    /**
     * Returns the spans so far, except for model calls that were never made.
     *
     * @param cut Whether the turn was stopped. Calls in flight then count as made, and their spans stay open.
     */
    end(cut: boolean) {
      const calls = [...modelCalls.values()];
      const made = new Set(calls.filter((call) => !isOverLimit(call) && (cut || call.isOver)));
      for (const call of made) if (!call.isOver) describe(call);
      if (whole !== undefined && !cut) whole.endedAt = Date.now();
      const dropped = new Set(calls.filter((call) => !made.has(call)).map(({ span }) => span));
      return {
        spans: spans.filter((span) => !dropped.has(span)) as readonly Span[],
        modelCalls: made.size,
        agentDetails: Object.fromEntries(agentDetails),
      };
    },
  };
}

/** ADK's message for too many model calls in a turn. */
export const MODEL_CALL_LIMIT = /^Max number of llm calls limit of \d+ exceeded/;

/** Whether the limit rejected a call. A call that a callback answered instead of the model never ends. */
function isOverLimit({ span }: ModelCall): boolean {
  return span.error !== undefined && MODEL_CALL_LIMIT.test(span.error.message);
}

/** Identifies an agent by its invocation and branch, because a turn may have several of each. */
function agentKey({ invocationContext: { invocationId, branch = '', agent } }: CallbackContext): string {
  return [invocationId, branch, agent?.name].join('\n');
}

/** Copies a request without its headers, which may contain secrets. */
function shownRequest({ model, contents, config = {} }: LlmRequest): object {
  const { httpOptions: _httpOptions, abortSignal: _abortSignal, ...shown } = config;
  return { model, config: shown, contents };
}

/** Returns the details of the agent that made a request. */
function detailsOf(name: string, { config = {} }: LlmRequest): AgentDetails {
  const { systemInstruction, tools } = config;
  const toolDeclarations = Array.isArray(tools) ? (toJson(tools) as unknown[]) : [];
  return { name, instructions: textOf(systemInstruction), toolDeclarations };
}

/** Extracts the text of a system instruction, which may be a string, a message, a part, or a list of these. */
function textOf(instruction: unknown): string {
  if (typeof instruction === 'string') return instruction;
  if (Array.isArray(instruction)) return instruction.map(textOf).join('\n');
  if (typeof instruction !== 'object' || instruction === null) return '';
  if ('parts' in instruction) return textOf(instruction.parts);
  return 'text' in instruction ? textOf(instruction.text) : '';
}
