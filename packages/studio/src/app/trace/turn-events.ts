import { type Content, type Invocation, isInvocationEvents, toolSteps } from '@agent-criteria/core';
import type { TurnEvent } from '@agent-criteria/viewer/views';

/** Lists the events of a turn, with the answer last. If no events were recorded, derives them from text and calls. */
export function turnEvents(invocation: Invocation, turn: number): readonly TurnEvent[] {
  const { finalResponse } = invocation;
  const steps = recorded(invocation);
  const author = steps.at(-1)?.author ?? 'agent';
  return [...steps, ...(finalResponse ? [{ author, content: finalResponse }] : [])].map((value, place) => ({
    id: `${turn}-${place}`,
    author: value.author,
    content: value.content,
    value,
  }));
}

interface Said {
  readonly author: string;
  readonly content?: Content | null | undefined;
}

function recorded(invocation: Invocation): readonly Said[] {
  const { intermediateData: data } = invocation;
  if (!data) return [];
  if (isInvocationEvents(data)) return data.invocationEvents ?? [];
  const texts = (data.intermediateResponses ?? []).map(([author, parts]) => ({
    author,
    content: { role: 'model', parts: [...parts] },
  }));
  const calls = toolSteps(invocation).flatMap(({ call, response }): readonly Said[] => [
    { author: 'agent', content: { role: 'model', parts: [{ functionCall: call }] } },
    ...(response === null
      ? []
      : [{ author: 'agent', content: { role: 'user', parts: [{ functionResponse: response }] } }]),
  ]);
  return [...texts, ...calls];
}
