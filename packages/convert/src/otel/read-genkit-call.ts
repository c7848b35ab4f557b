import { isObject } from '@agent-criteria/formats';
import { type Fields, objectIn, objectsIn } from '../fields.ts';
import { textIn } from '../messages/read-parts.ts';
import type { ModelCall } from './read-model-call.ts';
import type { Message } from './to-messages.ts';
import { type TraceSpan, textAt, valueAtAttribute } from './trace-span.ts';

/** Reads a call to a model from the attributes of Genkit, which hold its request and its response as JSON. */
export function readGenkitCall(span: TraceSpan): ModelCall {
  const request = objectIn(valueAtAttribute(span.attributes, 'genkit:input'));
  const response = objectIn(valueAtAttribute(span.attributes, 'genkit:output'));
  const messages = objectsIn(request.messages);
  const systems = messages.filter(({ role }) => role === 'system').map(({ content }) => textIn(content));
  return {
    input: messages.filter(({ role }) => role !== 'system').map(messageOf),
    output: isObject(response.message) ? [messageOf(response.message)] : [],
    instructions: systems.length === 0 ? undefined : systems.join('\n\n'),
    tools: request.tools,
    model: textAt(span, 'genkit:name'),
    usage: usageOf(response.usage),
  };
}

/** Converts a message of Genkit to one of the AI SDK. */
function messageOf({ role, content }: Fields): Message {
  return { role: role === 'model' ? 'assistant' : role, content: objectsIn(content).map(partOf) };
}

function partOf(part: Fields): Fields {
  const { text, reasoning, toolRequest: call, toolResponse: result, media } = part;
  if (typeof text === 'string') return { type: 'text', text };
  if (typeof reasoning === 'string') return { type: 'reasoning', text: reasoning };
  if (isObject(call)) return { type: 'tool-call', toolCallId: call.ref, toolName: call.name, input: call.input };
  if (isObject(result)) {
    return { type: 'tool-result', toolCallId: result.ref, toolName: result.name, output: result.output };
  }
  if (isObject(media)) return { type: 'file', data: media.url, mediaType: media.contentType };
  return part;
}

/** Genkit counts thoughts apart from the answer. */
function usageOf(usage: unknown): object | undefined {
  if (!isObject(usage)) return undefined;
  const { inputTokens, outputTokens, thoughtsTokens: thoughts, cachedContentTokens: cachedInputTokens } = usage;
  if (typeof thoughts !== 'number') return { inputTokens, outputTokens, cachedInputTokens };
  const said = typeof outputTokens === 'number' ? outputTokens : 0;
  return { inputTokens, outputTokens: said + thoughts, reasoningTokens: thoughts, cachedInputTokens };
}
