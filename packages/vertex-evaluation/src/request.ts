import type { Json } from '@agent-criteria/core';

/** The metric of a request: one that the service defines itself. */
export function predefinedMetric(name: string): { readonly [key: string]: Json } {
  return { predefinedMetricSpec: { metricSpecName: name } };
}

/** A text in the form of the service, for prompt, response and reference. */
export function textInstance(text: string): Json {
  return { contents: { contents: [textContent(text)] } };
}

function textContent(text: string): Json {
  return { parts: [{ text }] };
}

/** The texts of one turn. */
export interface TurnTexts {
  readonly prompt: string;
  readonly response: string;
  /** `null`: the case expects no answer. */
  readonly reference: string | null;
}

/** Builds the request of Google's Python SDK for one turn: its texts, and again as the only turn of an agent. */
export function turnRequest(
  metric: string,
  { prompt, response, reference }: TurnTexts,
): { readonly [key: string]: Json } {
  const events = [
    { author: 'user', content: textContent(prompt) },
    { author: 'model', content: textContent(response) },
  ];
  return {
    metrics: [predefinedMetric(metric)],
    instance: {
      prompt: textInstance(prompt),
      response: textInstance(response),
      ...(reference === null ? {} : { reference: textInstance(reference) }),
      agentEvalData: { turns: [{ turnIndex: 0, turnId: 'turn_0', events }] },
    },
  };
}
