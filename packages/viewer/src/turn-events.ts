import { type Content, type Invocation, isInvocationEvents, toolSteps } from '@agent-criteria/core';
import type { TurnEvent } from './turn-event.ts';

/** The author of events if the agent did not report one. */
const UNKNOWN = 'agent';

/**
 * Lists the events of a turn, with the answer last. If no events were recorded, derives them from text and calls.
 *
 * @param agentName The author of calls and answers whose author is not recorded.
 */
export function turnEvents(invocation: Invocation, turn: number, agentName: string = UNKNOWN): readonly TurnEvent[] {
  const { finalResponse } = invocation;
  const steps = recorded(invocation, agentName);
  const author = steps.at(-1)?.author ?? agentName;
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

function recorded(invocation: Invocation, author: string): readonly Said[] {
  const { intermediateData: data } = invocation;
  if (!data) return [];
  if (isInvocationEvents(data)) return data.invocationEvents ?? [];
  const texts = (data.intermediateResponses ?? []).map(([by, parts]) => ({
    author: by,
    content: { role: 'model', parts: [...parts] },
  }));
  const calls = toolSteps(invocation).flatMap(({ call, response }): readonly Said[] => [
    { author, content: { role: 'model', parts: [{ functionCall: call }] } },
    ...(response === null ? [] : [{ author, content: { role: 'user', parts: [{ functionResponse: response }] } }]),
  ]);
  return [...texts, ...calls];
}

/** Returns when a recorded turn began and ended, in milliseconds since the epoch, or `null` if it does not say so. */
export function timeOfTurn({ creationTimestamp, duration }: Invocation) {
  if (!creationTimestamp || typeof duration !== 'number') return null;
  return { startedAt: creationTimestamp * 1000, endedAt: (creationTimestamp + duration) * 1000 };
}
