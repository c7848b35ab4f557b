import type { Part } from './model.ts';

/**
 * Whether a part makes an event of ADK a step of its turn: text, calls, results and data, as in ADK for Python, and code
 * that was run, its result, and the calls of a service's own tools, which ADK leaves out where they are alone.
 */
export function isStepPart(part: Part): boolean {
  const { text, functionCall, functionResponse, inlineData } = part;
  if (text || functionCall || functionResponse || inlineData) return true;
  return Boolean(part.executableCode || part.codeExecutionResult || part.toolCall || part.toolResponse);
}
