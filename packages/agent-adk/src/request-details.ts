import type { AgentDetails } from '@agent-criteria/core';
import type { LlmRequest } from './adk-shapes.ts';
import { toJson } from './to-json.ts';

/** Copies a request without headers, which may contain secrets. */
export function shownRequest({ model, contents, config = {} }: LlmRequest): object {
  const { httpOptions: _httpOptions, abortSignal: _abortSignal, ...shown } = config;
  return { model, config: shown, contents };
}

/** Returns the details of the agent that made a request. */
export function detailsOf(name: string, { config = {} }: LlmRequest): AgentDetails {
  const { systemInstruction, tools } = config;
  const toolDeclarations = Array.isArray(tools) ? (toJson(tools) as unknown[]) : [];
  return { name, instructions: textOf(systemInstruction), toolDeclarations };
}

/** A system instruction is a text, a message, a part, or a list of these. */
function textOf(instruction: unknown): string {
  if (typeof instruction === 'string') return instruction;
  if (Array.isArray(instruction)) return instruction.map(textOf).join('\n');
  if (typeof instruction !== 'object' || instruction === null) return '';
  if ('parts' in instruction) return textOf(instruction.parts);
  return 'text' in instruction ? textOf(instruction.text) : '';
}
