import type { ErrorInfo, Json } from '@agent-criteria/core';
import type { CallbackContext } from './adk-shapes.ts';
import type { AgentSpans } from './agent-spans.ts';
import type { ModelSpans } from './model-spans.ts';
import type { OpenSpan, SpanList } from './span-list.ts';

/** The spans of tool calls, each nested in the model call that requested it. */
export interface ToolSpans {
  started(context: CallbackContext, name: string, args: unknown): void;
  failed(context: CallbackContext, error: ErrorInfo): void;
  ended(context: CallbackContext, result: unknown): void;
  of(context: CallbackContext): OpenSpan | undefined;
}

export function openToolSpans(
  spans: Pick<SpanList, 'start'>,
  agents: AgentSpans,
  models: Pick<ModelSpans, 'lastOf'>,
  show: (value: unknown) => Json,
): ToolSpans {
  const calls = new Map<object, OpenSpan>();
  return {
    started(context, name, args) {
      const agent = agents.of(context);
      const parentId = (models.lastOf(context) ?? agent).id;
      calls.set(context, spans.start({ kind: 'tool', name, author: agent.name, parentId, request: show(args) }));
    },
    failed(context, error) {
      const span = calls.get(context);
      if (span !== undefined) span.error = error;
    },
    ended(context, result) {
      const span = calls.get(context);
      if (span === undefined) return;
      if (result !== undefined && span.error === undefined) span.response = show(result);
      span.endedAt = agents.touch(context);
    },
    of: (context) => calls.get(context),
  };
}
