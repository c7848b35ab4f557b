import type { Span, ToolStep } from '@agent-criteria/core';

/**
 * Returns what answered a call of a turn in place of the tool, if anything did. The spans and the calls of a tool are paired in
 * order; if their numbers differ, nothing is certain.
 */
export function simulatedBy(step: ToolStep, steps: readonly ToolStep[], spans: readonly Span[]): string | undefined {
  const made = steps.filter(({ call }) => call.name === step.call.name);
  const ran = spans.filter(({ kind, name }) => kind === 'tool' && name === step.call.name);
  return made.length === ran.length ? ran[made.indexOf(step)]?.simulated : undefined;
}
