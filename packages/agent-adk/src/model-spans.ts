import type { AgentDetails, ErrorInfo, Json, State } from '@agent-criteria/core';
import type { CallbackContext, LlmRequest, LlmResponse } from './adk-shapes.ts';
import { type AgentSpans, agentKey } from './agent-spans.ts';
import { detailsOf, shownRequest } from './request-details.ts';
import type { OpenSpan, SpanList } from './span-list.ts';
import { toJson } from './to-json.ts';

interface ModelCall {
  readonly span: OpenSpan;
  readonly request: LlmRequest;
  isOver: boolean;
}

/** The spans of model calls, and the details of agents in their requests. */
export interface ModelSpans {
  started(context: CallbackContext, request: LlmRequest): void;
  answered(context: CallbackContext, response: LlmResponse): void;
  failed(context: CallbackContext, error: ErrorInfo): void;
  /** Returns the last call of the active agent. */
  lastOf(context: CallbackContext): OpenSpan | undefined;
  /** Ends all spans. `cut`: the turn was stopped, and calls in flight count as made. */
  end(cut: boolean): {
    readonly made: number;
    /** Spans of calls that were never made. */
    readonly dropped: ReadonlySet<OpenSpan>;
    readonly agentDetails: Readonly<Record<string, AgentDetails>>;
  };
}

export function openModelSpans(
  spans: Pick<SpanList, 'start'>,
  agents: AgentSpans,
  show: (value: unknown) => Json,
): ModelSpans {
  const calls = new Map<object, ModelCall>();
  const last = new Map<string, OpenSpan>();
  const agentDetails = new Map<string, AgentDetails>();

  function finish(context: CallbackContext, call: ModelCall): void {
    call.isOver = true;
    call.span.endedAt = agents.touch(context);
    describe(call);
  }

  /** Delayed: callbacks of the agent and of other plugins may still change the request. */
  function describe({ span, request }: ModelCall): void {
    span.request = show(shownRequest(request));
    const { author = '' } = span;
    if (!agentDetails.has(author)) agentDetails.set(author, detailsOf(author, request));
  }

  return {
    started(context, request) {
      const agent = agents.of(context);
      const span = spans.start({
        kind: 'model',
        name: request.model ?? 'model',
        author: agent.name,
        parentId: agent.id,
      });
      calls.set(context.actions, { span, request, isOver: false });
      last.set(agentKey(context), span);
    },
    answered(context, response) {
      const call = calls.get(context.actions);
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
    failed(context, error) {
      const call = calls.get(context.actions);
      // Failures after the answer, such as a call of an unknown tool, arrive here too.
      if (call === undefined || call.isOver) return;
      call.span.error = error;
      finish(context, call);
    },
    lastOf: (context) => last.get(agentKey(context)),
    end(cut) {
      const all = [...calls.values()];
      const made = new Set(all.filter((call) => isCall(call) && (cut || call.isOver)));
      for (const call of made) if (!call.isOver) describe(call);
      return {
        made: made.size,
        dropped: new Set(all.filter((call) => !made.has(call)).map(({ span }) => span)),
        agentDetails: Object.fromEntries(agentDetails),
      };
    },
  };
}

/** A call beyond the limit was never made. A call that a callback answered instead of the model never ends. */
function isCall({ span }: ModelCall): boolean {
  return !(span.error && MODEL_CALL_LIMIT.test(span.error.message));
}

/** ADK's message for too many model calls in a turn. */
export const MODEL_CALL_LIMIT = /^Max number of llm calls limit of \d+ exceeded/;
