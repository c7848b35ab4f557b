import { type Invocation, type InvocationEvent, isInvocationEvents } from '@agent-criteria/formats';
import type { Transcript } from '../contracts/transcript.ts';

/** A call to a model that an agent made, as far as it tells. */
export interface ModelCall {
  /** The model's name; `null` where the agent does not tell. */
  readonly model: string | null;
  /** What the model reported of its tokens; see `sumTokens`. */
  readonly usage: unknown;
}

/**
 * The calls to models of a turn, from 0: by its spans, where calls of nested agents are too, else by its events. An agent may
 * have made more than it tells of: `inferenceCallCount` of the turn says how many.
 */
export function modelCalls(actual: Invocation, turn: number, { inference }: Transcript): readonly ModelCall[] {
  const spans = (inference.trace ?? []).filter((span) => span.kind === 'model' && span.turn === turn);
  if (spans.length > 0) return spans.map(({ name, usage }) => ({ model: name, usage }));
  return (modelEvents(actual) ?? []).map(({ modelVersion = null, usageMetadata }) => ({
    model: modelVersion,
    usage: usageMetadata,
  }));
}

/** The events of a turn that a model made, as ADK tells them; `null` where no events were recorded. */
export function modelEvents({ intermediateData }: Invocation): readonly InvocationEvent[] | null {
  if (!intermediateData || !isInvocationEvents(intermediateData)) return null;
  return (intermediateData.invocationEvents ?? []).filter(({ usageMetadata, modelVersion }) =>
    Boolean(usageMetadata || modelVersion),
  );
}
