import type { AgentDetails, ErrorInfo, Json, Span, State } from '@agent-criteria/core';
import type { CallbackContext, LlmRequest, LlmResponse } from './adk-shapes.ts';
import { type JsonLimits, toJson } from './to-json.ts';

/** Spans are looked at, not judged: they need not hold whole images, nor a document with every call. */
const LIMITS: JsonLimits = { text: 100_000, inlineData: 1_000, whole: 1_000_000 };
/** In characters of JSON, what the spans of one turn may show together: every model call is sent all that was said before. */
const MOST_SHOWN = 10_000_000;

type OpenSpan = { -readonly [Key in keyof Span]: Span[Key] };

interface ModelCall {
  readonly span: OpenSpan;
  readonly request: LlmRequest;
  isOver: boolean;
}

/** Makes spans of what happens in one turn. */
export interface SpanRecorder {
  modelStarted(context: CallbackContext, request: LlmRequest): void;
  modelAnswered(context: CallbackContext, response: LlmResponse): void;
  modelFailed(context: CallbackContext, error: ErrorInfo): void;
  toolStarted(context: CallbackContext, name: string, args: unknown): void;
  toolFailed(context: CallbackContext, error: ErrorInfo): void;
  toolEnded(context: CallbackContext, result: unknown): void;
  /** The turn of an agent that a tool runs belongs to that tool's call. */
  nested(invocationId: string, toolContext: CallbackContext): void;
  /** What there is now. `cut`: the turn was stopped, and what is under way stays open. */
  end(cut: boolean): {
    readonly spans: readonly Span[];
    readonly modelCalls: number;
    readonly agentDetails: Readonly<Record<string, AgentDetails>>;
  };
}

/** @param turn From 0. */
export function recordSpans(turn: number): SpanRecorder {
  const spans: OpenSpan[] = [];
  const agents = new Map<string, OpenSpan>();
  const agentDetails = new Map<string, AgentDetails>();
  const modelCalls = new Map<object, ModelCall>();
  const lastModelCall = new Map<string, OpenSpan>();
  const toolCalls = new Map<object, OpenSpan>();
  const outerTools = new Map<string, OpenSpan>();
  let left = MOST_SHOWN;

  function show(value: unknown): Json {
    const shown = toJson(value, { ...LIMITS, whole: Math.min(LIMITS.whole, left) });
    left -= JSON.stringify(shown).length;
    return shown;
  }

  function start(span: Omit<OpenSpan, 'id' | 'turn' | 'startedAt'>): OpenSpan {
    const started = { id: `${turn + 1}.${spans.length + 1}`, turn, startedAt: Date.now(), ...span };
    spans.push(started);
    return started;
  }

  /** The span of the agent that works: from its first call to its last. */
  function agentSpan(context: CallbackContext): OpenSpan {
    const { invocationId, agent } = context.invocationContext;
    const key = agentKey(context);
    let span = agents.get(key);
    if (span === undefined) {
      const parent = outerSpan(context) ?? outerTools.get(invocationId);
      const name = agent?.name ?? 'agent';
      span = start({ kind: 'agent', name, author: name, parentId: parent?.id });
      agents.set(key, span);
    }
    return span;
  }

  /** The nearest agent above that has done something in this turn. */
  function outerSpan({ invocationContext }: CallbackContext): OpenSpan | undefined {
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

  function touch(context: CallbackContext): number {
    const now = Date.now();
    agentSpan(context).endedAt = now;
    return now;
  }

  function finish(context: CallbackContext, call: ModelCall): void {
    call.isOver = true;
    call.span.endedAt = touch(context);
    describe(call);
  }

  /** Only now: callbacks of the agent and of other plugins may still have changed the request after it began. */
  function describe({ span, request }: ModelCall): void {
    span.request = show(shownRequest(request));
    const { author = '' } = span;
    if (!agentDetails.has(author)) agentDetails.set(author, detailsOf(author, request));
  }

  return {
    modelStarted(context, request) {
      const agent = agentSpan(context);
      const name = request.model ?? 'model';
      const span = start({ kind: 'model', name, author: agent.name, parentId: agent.id });
      modelCalls.set(context.actions, { span, request, isOver: false });
      lastModelCall.set(agentKey(context), span);
    },
    modelAnswered(context, response) {
      const call = modelCalls.get(context.actions);
      if (call === undefined || response.partial) return;
      const { usageMetadata, ...said } = response;
      call.span.response = show(said);
      if (usageMetadata) call.span.usage = toJson(usageMetadata) as State;
      if (response.errorCode) {
        const message = [response.errorCode, response.errorMessage].filter(Boolean).join(': ');
        call.span.error = { code: 'AGENT_FAILED', message };
      }
      finish(context, call);
    },
    modelFailed(context, error) {
      const call = modelCalls.get(context.actions);
      // What fails after the answer, as a call of an unknown tool, comes this way too.
      if (call === undefined || call.isOver) return;
      call.span.error = error;
      finish(context, call);
    },
    toolStarted(context, name, args) {
      const agent = agentSpan(context);
      const parentId = (lastModelCall.get(agentKey(context)) ?? agent).id;
      toolCalls.set(context, start({ kind: 'tool', name, author: agent.name, parentId, request: show(args) }));
    },
    toolFailed(context, error) {
      const span = toolCalls.get(context);
      if (span !== undefined) span.error = error;
    },
    toolEnded(context, result) {
      const span = toolCalls.get(context);
      if (span === undefined) return;
      if (result !== undefined && span.error === undefined) span.response = show(result);
      span.endedAt = touch(context);
    },
    nested(invocationId, toolContext) {
      const span = toolCalls.get(toolContext);
      if (span !== undefined) outerTools.set(invocationId, span);
    },
    end(cut) {
      const calls = [...modelCalls.values()].filter(isCall);
      const made = cut ? calls : calls.filter(({ isOver }) => isOver);
      for (const call of made) if (!call.isOver) describe(call);
      const dropped = new Set([...modelCalls.values()].filter((call) => !made.includes(call)).map(({ span }) => span));
      return {
        spans: spans.filter((span) => !dropped.has(span)),
        modelCalls: made.length,
        agentDetails: Object.fromEntries(agentDetails),
      };
    },
  };
}

/** A call beyond the limit of calls was never made. One that a callback answered in the model's place never ends. */
function isCall({ span }: ModelCall): boolean {
  return !(span.error && MODEL_CALL_LIMIT.test(span.error.message));
}

/** How ADK says that a turn took too many model calls. */
export const MODEL_CALL_LIMIT = /^Max number of llm calls limit of \d+ exceeded/;

function agentKey({ invocationContext: { invocationId, branch = '', agent } }: CallbackContext): string {
  return [invocationId, branch, agent?.name].join('\n');
}

/** Without headers, which may hold secrets. */
function shownRequest({ model, contents, config = {} }: LlmRequest): object {
  const { httpOptions: _httpOptions, abortSignal: _abortSignal, ...shown } = config;
  return { model, config: shown, contents };
}

function detailsOf(name: string, { config = {} }: LlmRequest): AgentDetails {
  const { systemInstruction, tools } = config;
  const toolDeclarations = Array.isArray(tools) ? (toJson(tools) as unknown[]) : [];
  return { name, instructions: textOf(systemInstruction), toolDeclarations };
}

/** A system instruction is a text, a message, a part, or a list of these. */
function textOf(instruction: unknown): string {
  if (typeof instruction === 'string') return instruction;
  if (Array.isArray(instruction)) return instruction.map(textOf).join('\n');
  if (typeof instruction !== 'object' || instruction === null) return '';
  if ('parts' in instruction) return textOf(instruction.parts);
  return 'text' in instruction ? textOf(instruction.text) : '';
}
