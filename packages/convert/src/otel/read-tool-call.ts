import { isObject } from '@agent-criteria/formats';
import { type ReadCall, readCall } from '@agent-criteria/formats/messages';
import { toolAnswer } from '../messages/tool-answer.ts';
import { type TraceSpan, textAt, valueAtAttribute } from './trace-span.ts';

const NAMES = ['gen_ai.tool.name', 'ai.toolCall.name', 'tool.name', 'traceloop.entity.name', 'genkit:name'];
const IDS = ['gen_ai.tool.call.id', 'ai.toolCall.id', 'tool_call.id'];
const ARGUMENTS = [
  ...['gen_ai.tool.call.arguments', 'gcp.vertex.agent.tool_call_args', 'ai.toolCall.args', 'ai.toolCall.input'],
  ...['tool.parameters', 'input.value', 'traceloop.entity.input', 'genkit:input'],
];
const RESULTS = [
  ...['gen_ai.tool.call.result', 'gcp.vertex.agent.tool_response', 'ai.toolCall.result', 'ai.toolCall.output'],
  ...['output.value', 'traceloop.entity.output', 'genkit:output'],
];

/** Reads the call to a tool from its span. A tool that failed has its error as the result. */
export function readToolCall(span: TraceSpan): ReadCall {
  const { attributes, error } = span;
  const name = textAt(span, ...NAMES) ?? (span.name.replace(/^execute_tool /, '') || 'tool');
  const id = textAt(span, ...IDS);
  const given = valueAtAttribute(attributes, ...ARGUMENTS);
  const args = isObject(given) ? given : given === undefined ? undefined : { input: given };
  const read = readCall({ ...(id === undefined ? {} : { id }), name, ...(args === undefined ? {} : { args }) });
  if ('problem' in read) throw new Error(read.problem);
  const result = valueAtAttribute(attributes, ...RESULTS);
  const response = error !== null ? { error } : result === undefined ? null : toolAnswer(result);
  return { ...read, response: response === null ? null : { ...(id === undefined ? {} : { id }), name, response } };
}
