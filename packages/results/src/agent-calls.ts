import { type Invocation, isInvocationEvents, type Span } from '@agent-criteria/core';
import { groupBy } from './group-by.ts';
import type { RunInference } from './run-record.ts';
import { tokenCounts } from './token-counts.ts';

/** A call to a model that an agent made, as far as it tells. */
export interface AgentCall {
  /** Of the model; `null`: it is not told. */
  readonly model: string | null;
  readonly usage?: unknown;
  readonly error?: unknown;
}

/** The calls of an agent to models, each once. */
export interface AgentCalls {
  readonly calls: readonly AgentCall[];
  /** How many more there were, of which nothing else is known. */
  readonly more: number;
}

/** The calls to models in each turn of a conversation. */
export function agentCalls({ inference: { invocations, trace = [] } }: Pick<RunInference, 'inference'>): AgentCalls[] {
  const spans = groupBy(innermost(trace), ({ turn }) => turn);
  // A turn that broke has left no invocation, but perhaps a trace.
  const turns = new Set([...invocations.keys(), ...spans.keys()]);
  return [...turns].map((turn) => {
    const traced = (spans.get(turn) ?? []).map(({ name, usage, error }) => ({ model: name, usage, error }));
    return ofTurn(invocations[turn], traced);
  });
}

/**
 * The model calls of a turn, each once: trace and events tell of the same calls, so those of the one count that tells
 * more of them. A count of its own may know of calls that nothing else tells of.
 */
function ofTurn(invocation: Invocation | undefined, traced: readonly AgentCall[]): AgentCalls {
  const events = eventCalls(invocation);
  const told = (calls: readonly AgentCall[]) => calls.filter(({ usage }) => tokenCounts(usage) !== null).length;
  const calls = traced.length > 0 && told(traced) >= told(events) ? traced : events;
  const { inferenceCallCount: made } = invocation ?? {};
  const more = typeof made === 'number' && Number.isSafeInteger(made) ? made - calls.length : 0;
  return { calls, more: Math.max(0, more) };
}

/** As ADK: an event with a model's usage or version is a call to it. */
function eventCalls(invocation: Invocation | undefined): readonly AgentCall[] {
  const data = invocation?.intermediateData;
  if (!data || !isInvocationEvents(data)) return [];
  return (data.invocationEvents ?? []).flatMap(({ usageMetadata: usage = null, modelVersion = null }) =>
    usage === null && modelVersion === null ? [] : [{ model: modelVersion, usage }],
  );
}

/** Model calls without those around others, which tell of the same tokens again. */
function innermost(trace: readonly Span[]): readonly Span[] {
  const parents = new Map(trace.map(({ id, parentId }) => [id, parentId]));
  const models = trace.filter(({ kind }) => kind === 'model');
  const around = new Set<string>();
  for (const { parentId } of models) {
    for (let id = parentId; id !== undefined && !around.has(id); id = parents.get(id)) around.add(id);
  }
  return models.filter(({ id }) => !around.has(id));
}
