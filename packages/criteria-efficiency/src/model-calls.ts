import { type Invocation, type InvocationEvent, isInvocationEvents } from '@agent-criteria/core';

/** The events of a turn that a model made, as ADK tells them; `null` where no events were recorded. */
export function reportingEvents({ intermediateData }: Invocation): readonly InvocationEvent[] | null {
  if (!intermediateData || !isInvocationEvents(intermediateData)) return null;
  return (intermediateData.invocationEvents ?? []).filter(({ usageMetadata, modelVersion }) =>
    Boolean(usageMetadata || modelVersion),
  );
}
