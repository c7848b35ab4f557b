import type { Span, ToolStep } from '@agent-criteria/core';

/**
 * Returns what answered a call of a turn in place of the tool, if anything did. The spans and the calls of a tool are paired in
 * order; if their numbers differ, nothing is certain.
 */
export function simulatedBy(step: ToolStep, steps: readonly ToolStep[], spans: readonly Span[]): string | undefined {
  const { name } = step.call;
  const made = steps.filter(({ call }) => call.name === name);
  const ran = spans.filter((span) => span.kind === 'tool' && span.name === name);
  return ran.length === made.length ? ran[made.indexOf(step)]?.simulated : undefined;
}
