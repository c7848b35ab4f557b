import type { Json } from '@agent-criteria/core';

/** Returns the part of a request that names a metric defined by the service. */
export function predefinedMetric(name: string): { readonly [key: string]: Json } {
  return { predefinedMetricSpec: { metricSpecName: name } };
}

function textContent(text: string): Json {
  return { parts: [{ text }] };
}

/**
 * Builds the same request as Google's Python SDK for one turn, which contains its texts and, once more, the turn as an
 * agent's only turn. `reference` is `null` if the case expects no answer.
 */
export function turnRequest(
  metric: string,
  { prompt, response, reference }: { prompt: string; response: string; reference: string | null },
): { readonly [key: string]: Json } {
  const textInstance = (text: string): Json => ({ contents: { contents: [textContent(text)] } });
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
