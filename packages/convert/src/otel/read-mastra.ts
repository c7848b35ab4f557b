import { isObject } from '@agent-criteria/formats';
import { objectsIn } from '../fields.ts';
import type { ModelCall } from './read-model-call.ts';
import type { Message } from './to-messages.ts';
import { type TraceSpan, textAt, valueAtAttribute } from './trace-span.ts';

/**
 * Completes a call to a model with the step of Mastra around it, whose output holds the calls to tools that the call's
 * own span lacks.
 */
export function withMastraStep(call: ModelCall, step: TraceSpan | undefined): ModelCall {
  const output = step === undefined ? undefined : valueAtAttribute(step.attributes, 'mastra.model_step.output');
  if (!isObject(output)) return call;
  const { text, toolCalls } = output;
  const calls = objectsIn(toolCalls).map(({ toolCallId, toolName, args, input }) => ({
    type: 'tool-call',
    toolCallId,
    toolName,
    input: input ?? args,
  }));
  if (calls.length === 0) return call;
  const said = typeof text === 'string' && text !== '' ? [{ type: 'text', text }] : [];
  return { ...call, output: [{ role: 'assistant', content: [...said, ...calls] }] };
}

/** Returns the messages that Mastra's span of an agent was sent, which those of its calls to models lack. */
export function mastraInput({ attributes }: TraceSpan): readonly Message[] {
  const input = valueAtAttribute(attributes, 'mastra.agent_run.input');
  if (typeof input === 'string') return [{ role: 'user', content: input }];
  const list = Array.isArray(input) ? input : [input];
  return list.flatMap((one: unknown): readonly Message[] => {
    if (typeof one === 'string') return [{ role: 'user', content: one }];
    return isObject(one) && one.role !== 'system' ? [one] : [];
  });
}

/** Returns the text that Mastra's span of an agent answered, or `undefined`. */
export function mastraAnswer({ attributes }: TraceSpan): string | undefined {
  const output = valueAtAttribute(attributes, 'mastra.agent_run.output');
  return isObject(output) && typeof output.text === 'string' && output.text !== '' ? output.text : undefined;
}

/** Lists the tools that the span of an agent names, with the descriptions that the spans of their calls have. */
export function namedTools(agent: TraceSpan, calls: readonly TraceSpan[]): readonly object[] {
  const names = valueAtAttribute(agent.attributes, 'gen_ai.tool.definitions');
  if (!Array.isArray(names)) return [];
  const described = new Map(
    calls.map((call) => [textAt(call, 'gen_ai.tool.name'), textAt(call, 'gen_ai.tool.description')]),
  );
  return names.flatMap((name: unknown) => {
    if (typeof name !== 'string') return isObject(name) ? [name] : [];
    const description = described.get(name);
    return [{ name, ...(description === undefined ? {} : { description }) }];
  });
}
