import type { AgentDetails, ErrorInfo, Span } from '@agent-criteria/core';
import type { CallbackContext, LlmRequest, LlmResponse } from './adk-shapes.ts';
import { openAgentSpans } from './agent-spans.ts';
import { openModelSpans } from './model-spans.ts';
import { showValues } from './show-values.ts';
import { openSpanList } from './span-list.ts';
import { openToolSpans } from './tool-spans.ts';

/** Records the spans of one turn. */
export interface SpanRecorder {
  modelStarted(context: CallbackContext, request: LlmRequest): void;
  modelAnswered(context: CallbackContext, response: LlmResponse): void;
  modelFailed(context: CallbackContext, error: ErrorInfo): void;
  toolStarted(context: CallbackContext, name: string, args: unknown): void;
  toolFailed(context: CallbackContext, error: ErrorInfo): void;
  toolEnded(context: CallbackContext, result: unknown): void;
  /** Declares that the invocation of a nested agent belongs to a tool's call. */
  nested(invocationId: string, toolContext: CallbackContext): void;
  /** Returns the spans so far. `cut`: the turn was stopped, and spans in flight stay open. */
  end(cut: boolean): {
    readonly spans: readonly Span[];
    readonly modelCalls: number;
    readonly agentDetails: Readonly<Record<string, AgentDetails>>;
  };
}

/** @param turn From 0. */
export function recordSpans(turn: number): SpanRecorder {
  const spans = openSpanList(turn);
  const show = showValues();
  const agents = openAgentSpans(spans);
  const models = openModelSpans(spans, agents, show);
  const tools = openToolSpans(spans, agents, models, show);
  return {
    modelStarted: models.started,
    modelAnswered: models.answered,
    modelFailed: models.failed,
    toolStarted: tools.started,
    toolFailed: tools.failed,
    toolEnded: tools.ended,
    nested(invocationId, toolContext) {
      const tool = tools.of(toolContext);
      if (tool !== undefined) agents.nest(invocationId, tool);
    },
    end(cut) {
      const { made, dropped, agentDetails } = models.end(cut);
      return { spans: spans.without(dropped), modelCalls: made, agentDetails };
    },
  };
}
