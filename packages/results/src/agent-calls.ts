import { type Invocation, isInvocationEvents, type Span } from '@agent-criteria/core';
import { groupBy } from './group-by.ts';
import type { RunInference } from './run-record.ts';
import { tokenCounts } from './token-counts.ts';

/** An agent's call to a model, as reported by the agent. */
export interface AgentCall {
  /** The model, or `null` if it was not reported. */
  readonly model: string | null;
  readonly usage?: unknown;
  readonly error?: unknown;
}

export interface AgentCalls {
  readonly calls: readonly AgentCall[];
  /** The number of further calls about which nothing else is known. */
  readonly more: number;
}

/** Lists the model calls in each turn of a conversation. */
export function agentCalls({ inference: { invocations, trace = [] } }: Pick<RunInference, 'inference'>): AgentCalls[] {
  const spans = groupBy(innermost(trace), ({ turn }) => turn);
  // A failed turn has no invocation, but may have a trace.
  const turns = new Set([...invocations.keys(), ...spans.keys()]);
  return [...turns].map((turn) => {
    const traced = (spans.get(turn) ?? []).map(({ name, usage, error }) => ({ model: name, usage, error }));
    return ofTurn(invocations[turn], traced);
  });
}

/**
 * Lists each model call of a turn once. The trace and the events describe the same calls, so the source that reports
 * more tokens is used. The invocation's own count may include further calls.
 */
function ofTurn(invocation: Invocation | undefined, traced: readonly AgentCall[]): AgentCalls {
  const events = eventCalls(invocation);
  const reported = (calls: readonly AgentCall[]) => calls.filter(({ usage }) => tokenCounts(usage) !== null).length;
  const calls = traced.length > 0 && reported(traced) >= reported(events) ? traced : events;
  const { inferenceCallCount: made } = invocation ?? {};
  const more = typeof made === 'number' && Number.isSafeInteger(made) ? made - calls.length : 0;
  return { calls, more: Math.max(0, more) };
}

/** As in ADK, an event with usage or a model version counts as a model call. */
function eventCalls(invocation: Invocation | undefined): readonly AgentCall[] {
  const data = invocation?.intermediateData;
  if (!data || !isInvocationEvents(data)) return [];
  return (data.invocationEvents ?? []).flatMap(({ usageMetadata: usage = null, modelVersion = null }) =>
    usage === null && modelVersion === null ? [] : [{ model: modelVersion, usage }],
  );
}

/** Selects the innermost model spans, because a span that contains others reports the same tokens again. */
function innermost(trace: readonly Span[]): readonly Span[] {
  const parents = new Map(trace.map(({ id, parentId }) => [id, parentId]));
  const models = trace.filter(({ kind }) => kind === 'model');
  const around = new Set<string>();
  for (const { parentId } of models) {
    for (let id = parentId; id !== undefined && !around.has(id); id = parents.get(id)) around.add(id);
  }
  return models.filter(({ id }) => !around.has(id));
}
