import { toJson } from '@agent-criteria/calls/json';
import type { Json } from '@agent-criteria/core';
import { isInvocationEvents } from '@agent-criteria/core';
import { type AiSdkStep, invocationOf, readAiSdkSteps } from '@agent-criteria/formats/messages';

/** Lists the events of a step as ADK would report them, with the tokens of the model on the first one. */
export function eventsOf(step: AiSdkStep, author: string): readonly Json[] {
  const { steps, answer } = readAiSdkSteps([step]);
  const { intermediateData } = invocationOf({ userContent: { parts: [] }, answer, steps, author });
  const events =
    intermediateData && isInvocationEvents(intermediateData) ? (intermediateData.invocationEvents ?? []) : [];
  // The tokens of a step that is only an answer have an event without content.
  const [{ content: _content, ...ofModel } = { content: null }] = events.filter(({ content }) => !content);
  const whole = [
    ...events.filter(({ content }) => content),
    ...(answer === null ? [] : [{ author, ...ofModel, content: answer }]),
  ];
  return whole.map((event) => toJson(event));
}
