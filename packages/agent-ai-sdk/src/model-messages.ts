import { toJson } from '@agent-criteria/calls/json';
import type { Content, Invocation, Part } from '@agent-criteria/core';
import { isObject, recordedEvents } from '@agent-criteria/formats';

/** A message of a conversation as the AI SDK takes it: assignable to its `ModelMessage` in versions 6 and 7. */
export type AiSdkModelMessage =
  | { role: 'user'; content: (TextPart | FilePart)[] }
  | { role: 'assistant'; content: (TextPart | ToolCallPart)[] }
  | { role: 'tool'; content: ToolResultPart[] };

interface TextPart {
  type: 'text';
  text: string;
}

interface FilePart {
  type: 'file';
  /** In base64, or where it lies. */
  data: string | URL;
  mediaType: string;
}

interface ToolCallPart {
  type: 'tool-call';
  toolCallId: string;
  toolName: string;
  input: unknown;
}

interface ToolResultPart {
  type: 'tool-result';
  toolCallId: string;
  toolName: string;
  output: { type: 'json'; value: JsonOutput } | { type: 'text' | 'error-text'; value: string };
}

type JsonOutput = null | string | number | boolean | JsonOutput[] | { [key: string]: JsonOutput | undefined };

/** The result that the model sees for a call that has none, because models reject a conversation with an open call. */
const NO_RESULT = 'The turn ended before this tool answered. It may have done its work or not.';

/** Converts a user's message. @throws TypeError if the address of a file cannot be read. */
export function userMessage({ parts }: Content): AiSdkModelMessage {
  const content = (parts ?? []).flatMap(userPart);
  return { role: 'user', content: content.length === 0 ? [{ type: 'text', text: '' }] : content };
}

/**
 * Converts a recorded turn to messages: the user's, those of the steps, and the answer. Thoughts are left out, because
 * models take them back only with a signature. Every call gets a result.
 *
 * @param turn A number that makes ids of calls without one unique.
 */
export function messagesOf(invocation: Invocation, turn: number): AiSdkModelMessage[] {
  const messages: AiSdkModelMessage[] = [];
  const calls: ToolCallPart[] = [];
  const results = new Map<string, ToolResultPart>();
  let isNext = true;
  const ofAssistant = (part: TextPart | ToolCallPart): void => {
    const last = messages.at(-1);
    if (last?.role === 'assistant' && !isNext) last.content.push(part);
    else messages.push({ role: 'assistant', content: [part] });
    isNext = false;
  };
  for (const { author, content } of recordedEvents(invocation, 'agent', `turn-${turn + 1}`)) {
    if (author === 'user') {
      messages.push(userMessage(content));
      continue;
    }
    for (const { text, thought, functionCall, functionResponse } of content.parts ?? []) {
      if (functionCall?.name) {
        const { id, name, args } = functionCall;
        const toolCallId = id || `call-${turn + 1}-${calls.length + 1}`;
        const call: ToolCallPart = { type: 'tool-call', toolCallId, toolName: name, input: toJson(args ?? {}) };
        calls.push(call);
        ofAssistant(call);
      } else if (functionResponse) {
        const { id, name, response } = functionResponse;
        const call = calls.find(
          ({ toolCallId, toolName }) => !results.has(toolCallId) && (id ? toolCallId === id : toolName === name),
        );
        if (call === undefined) continue;
        const { toolCallId, toolName } = call;
        results.set(toolCallId, { type: 'tool-result', toolCallId, toolName, output: outputOf(response) });
        // Later messages have seen the result.
        isNext = true;
      } else if (text && !thought) ofAssistant({ type: 'text', text });
    }
  }
  return withAllResults(messages, results);
}

/**
 * Adds a result for each call without one, such as a call that was cut off, or one of a tool that runs in a browser, right
 * after the message with the call: models reject other orders.
 *
 * @param results Results by the ids of their calls, which are not in the messages yet. Default: none.
 */
export function withAllResults(
  messages: readonly AiSdkModelMessage[],
  results: ReadonlyMap<string, ToolResultPart> = new Map(),
): AiSdkModelMessage[] {
  const answered = new Set<string>();
  for (const { content } of messages) {
    for (const part of partsOf(content)) if (part.type === 'tool-result') answered.add(part.toolCallId);
  }
  const whole: AiSdkModelMessage[] = [];
  for (const [index, message] of messages.entries()) {
    const before = messages[index - 1];
    const missing = before === undefined ? [] : openResults(before, answered, results);
    if (missing.length > 0 && message.role === 'tool') {
      whole.push({ ...message, content: [...message.content, ...missing] });
      continue;
    }
    if (missing.length > 0) whole.push({ role: 'tool', content: missing });
    whole.push(message);
  }
  const last = messages.at(-1);
  const missing = last === undefined ? [] : openResults(last, answered, results);
  return missing.length > 0 ? [...whole, { role: 'tool', content: missing }] : whole;
}

function openResults(
  { role, content }: AiSdkModelMessage,
  answered: ReadonlySet<string>,
  results: ReadonlyMap<string, ToolResultPart>,
): ToolResultPart[] {
  if (role !== 'assistant') return [];
  return partsOf(content).flatMap((part): ToolResultPart[] => {
    if (part.type !== 'tool-call' || answered.has(part.toolCallId)) return [];
    const { toolCallId, toolName } = part;
    const none: ToolResultPart['output'] = { type: 'error-text', value: NO_RESULT };
    return [results.get(toolCallId) ?? { type: 'tool-result', toolCallId, toolName, output: none }];
  });
}

type AnyPart = Exclude<AiSdkModelMessage['content'][number], string>;

/** The AI SDK's own messages may have plain text in place of parts. */
function partsOf(content: readonly AnyPart[] | string): readonly AnyPart[] {
  return typeof content === 'string' ? [] : content;
}

function userPart({ text, inlineData, fileData }: Part): (TextPart | FilePart)[] {
  if (inlineData?.data) {
    return [{ type: 'file', data: inlineData.data, mediaType: inlineData.mimeType || 'application/octet-stream' }];
  }
  if (fileData?.fileUri) {
    return [
      { type: 'file', data: new URL(fileData.fileUri), mediaType: fileData.mimeType || 'application/octet-stream' },
    ];
  }
  return typeof text === 'string' ? [{ type: 'text', text }] : [];
}

function outputOf(response: unknown): ToolResultPart['output'] {
  const value = toJson(response ?? null);
  if (isObject(value) && Object.keys(value).length === 1) {
    if (typeof value.error === 'string') return { type: 'error-text', value: value.error };
    // A result other than an object is recorded in this form.
    if (typeof value.result === 'string') return { type: 'text', value: value.result };
    if (Object.hasOwn(value, 'result')) return { type: 'json', value: value.result as JsonOutput };
  }
  return { type: 'json', value: value as JsonOutput };
}
