import { type Invocation, isInvocationEvents, type Span } from '@agent-criteria/core';
import { groupBy } from './group-by.ts';
import type { RunInference } from './run-record.ts';
import { tokenCounts } from './token-counts.ts';

/** A call of an agent to a model, as reported by the agent. */
export interface AgentCall {
  /** The model; `null` if not reported. */
  readonly model: string | null;
  readonly usage?: unknown;
  readonly error?: unknown;
}

export interface AgentCalls {
  readonly calls: readonly AgentCall[];
  /** The number of further calls without any details. */
  readonly more: number;
}

/** Lists the calls to models in each turn of a conversation. */
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
 * Lists the model calls of a turn, each once: trace and events describe the same calls, so the source with more reported tokens wins. The
 * invocation's own count may include further calls.
 */
function ofTurn(invocation: Invocation | undefined, traced: readonly AgentCall[]): AgentCalls {
  const events = eventCalls(invocation);
  const reported = (calls: readonly AgentCall[]) => calls.filter(({ usage }) => tokenCounts(usage) !== null).length;
  const calls = traced.length > 0 && reported(traced) >= reported(events) ? traced : events;
  const { inferenceCallCount: made } = invocation ?? {};
  const more = typeof made === 'number' && Number.isSafeInteger(made) ? made - calls.length : 0;
  return { calls, more: Math.max(0, more) };
}

/** As in ADK, an event with a model's usage or version is a call to it. */
function eventCalls(invocation: Invocation | undefined): readonly AgentCall[] {
  const data = invocation?.intermediateData;
  if (!data || !isInvocationEvents(data)) return [];
  return (data.invocationEvents ?? []).flatMap(({ usageMetadata: usage = null, modelVersion = null }) =>
    usage === null && modelVersion === null ? [] : [{ model: modelVersion, usage }],
  );
}

/** Model spans without those that contain others, which report the same tokens again. */
function innermost(trace: readonly Span[]): readonly Span[] {
  const parents = new Map(trace.map(({ id, parentId }) => [id, parentId]));
  const models = trace.filter(({ kind }) => kind === 'model');
  const around = new Set<string>();
  for (const { parentId } of models) {
    for (let id = parentId; id !== undefined && !around.has(id); id = parents.get(id)) around.add(id);
  }
  return models.filter(({ id }) => !around.has(id));
}
