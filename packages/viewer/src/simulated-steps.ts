import type { Span, ToolStep } from '@agent-criteria/core';

/**
 * Finds the calls of a turn that something else answered in place of the tool, with the name of what did. The spans and the calls
 * of a tool are paired in order; if their numbers differ, only an answer that all of them share is certain.
 */
export function simulatedSteps(steps: readonly ToolStep[], spans: readonly Span[]): ReadonlyMap<ToolStep, string> {
  const found = new Map<ToolStep, string>();
  for (const name of new Set(steps.map(({ call }) => call.name ?? ''))) {
    const made = steps.filter(({ call }) => (call.name ?? '') === name);
    const ran = spans.filter((span) => span.kind === 'tool' && span.name === name);
    const [first] = ran;
    const isShared = ran.every(({ simulated }) => simulated === first?.simulated);
    for (const [place, step] of made.entries()) {
      const by = ran.length === made.length ? ran[place]?.simulated : isShared ? first?.simulated : undefined;
      if (by !== undefined) found.set(step, by);
    }
  }
  return found;
}
