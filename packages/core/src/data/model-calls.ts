import { type Invocation, type InvocationEvent, isInvocationEvents } from '@agent-criteria/formats';
import type { Transcript } from '../contracts/transcript.ts';

/** An agent's call to a model, as far as the agent reports it. */
export interface ModelCall {
  /** The model's name, or `null` if it is not reported. */
  readonly model: string | null;
  /** The token counts as reported by the model, to be read with `sumTokens`. */
  readonly usage: unknown;
}

/**
 * Lists a turn's model calls: from its spans, which include calls of nested agents, or else from its events. The agent
 * may have made further calls that it does not report; the turn's `inferenceCallCount` counts them all.
 *
 * @param turn The index of the turn, from 0.
 */
export function modelCalls(actual: Invocation, turn: number, { inference }: Transcript): readonly ModelCall[] {
  const spans = (inference.trace ?? []).filter((span) => span.kind === 'model' && span.turn === turn);
  if (spans.length > 0) return spans.map(({ name, usage }) => ({ model: name, usage }));
  return (modelEvents(actual) ?? []).map(({ modelVersion = null, usageMetadata }) => ({
    model: modelVersion,
    usage: usageMetadata,
  }));
}

/**
 * Selects the events of a turn that a model produced: those with its usage or version. Returns `null` if no events were
 * recorded.
 */
export function modelEvents({ intermediateData }: Invocation): readonly InvocationEvent[] | null {
  if (!intermediateData || !isInvocationEvents(intermediateData)) return null;
  return (intermediateData.invocationEvents ?? []).filter(({ usageMetadata, modelVersion }) =>
    Boolean(usageMetadata || modelVersion),
  );
}
