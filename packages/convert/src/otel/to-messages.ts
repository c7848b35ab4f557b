import { isObject } from '@agent-criteria/formats';
import { type Fields, objectsIn } from '../fields.ts';
import { CODE_PART } from '../messages/read-parts.ts';
import { parsed } from './trace-span.ts';

/** A message as `readMessages` takes it. */
export type Message = Fields;

/** Lists the parts of a message, with the calls that OpenAI writes beside its content. */
export function partsOf({
  role,
  content,
  parts,
  tool_calls: calls,
  tool_call_id: id,
  name,
}: Message): readonly unknown[] {
  const own: unknown = content ?? parts;
  if (role === 'tool' && typeof id === 'string') {
    return [{ type: 'tool-result', toolCallId: id, toolName: name, output: own }];
  }
  const list = Array.isArray(own) ? own : own === undefined || own === null ? [] : [own];
  const made = objectsIn(calls).map((call) => {
    const inner = isObject(call.function) ? call.function : call;
    const args = inner.arguments;
    const input = typeof args === 'string' ? (parsed(args) ?? args) : args;
    return { type: 'tool-call', toolCallId: call.id, toolName: inner.name, input };
  });
  return [...list, ...made];
}

/** Converts messages of OpenTelemetry's conventions, whose parts have a `content`, to those of the AI SDK. */
export function fromConvention(messages: unknown): readonly Message[] {
  return objectsIn(messages).map(({ role, parts, content, ...others }) => {
    if (!Array.isArray(parts)) return { ...others, role, content };
    return { role, content: parts.map(partOfConvention) };
  });
}

function partOfConvention(part: unknown): unknown {
  if (!isObject(part)) return part;
  const { type, content, id, name } = part;
  switch (type) {
    case 'text':
    case 'reasoning':
      return { type, text: content };
    case 'tool_call':
      return { type: 'tool-call', toolCallId: id, toolName: name, input: part.arguments };
    case 'tool_call_response':
      return { type: 'tool-result', toolCallId: id, output: part.response ?? part.result ?? content };
    case 'blob':
      return { type: 'file', data: content, mediaType: part.mime_type };
    case 'uri':
      return { type: 'file', data: part.uri, mediaType: part.mime_type };
    case 'file':
      return { type: 'file', filename: part.file_id };
    default:
      return part;
  }
}

/** Converts contents of Gemini, as ADK records them. Results of tools have the role `user` there. */
export function fromContents(contents: unknown): readonly Message[] {
  return objectsIn(contents).map(({ role, parts }) => {
    const content = objectsIn(parts).map(partOfContent);
    const isTool = content.length > 0 && content.every(({ type }) => type === 'tool-result');
    return { role: isTool ? 'tool' : role === 'model' ? 'assistant' : 'user', content };
  });
}

function partOfContent(part: Fields): Fields {
  const at = (camel: string, snake: string): Fields | null => {
    const value = part[camel] ?? part[snake];
    return isObject(value) ? value : null;
  };
  const call = at('functionCall', 'function_call');
  if (call !== null) return { type: 'tool-call', toolCallId: call.id, toolName: call.name, input: call.args };
  const response = at('functionResponse', 'function_response');
  if (response !== null) {
    return { type: 'tool-result', toolCallId: response.id, toolName: response.name, output: response.response };
  }
  const data = at('inlineData', 'inline_data');
  if (data !== null) return { type: 'file', data: data.data, mediaType: data.mimeType ?? data.mime_type };
  const file = at('fileData', 'file_data');
  if (file !== null)
    return { type: 'file', data: file.fileUri ?? file.file_uri, mediaType: file.mimeType ?? file.mime_type };
  const executableCode = at('executableCode', 'executable_code');
  const codeExecutionResult = at('codeExecutionResult', 'code_execution_result');
  if (executableCode ?? codeExecutionResult) return { type: CODE_PART, executableCode, codeExecutionResult };
  return { type: part.thought === true ? 'reasoning' : 'text', text: part.text };
}

/**
 * Collects messages that are flattened to attributes, as OpenInference and OpenLLMetry do: `llm.input_messages.0.message.role`
 * or `gen_ai.prompt.0.role`.
 */
export function fromFlattened(attributes: ReadonlyMap<string, unknown>, prefix: string): readonly Message[] {
  const messages: Record<string, unknown>[] = [];
  for (const [key, value] of attributes) {
    if (!key.startsWith(`${prefix}.`)) continue;
    const [index = '', ...path] = key
      .slice(prefix.length + 1)
      .replace(/^(\d+)\.message\./, '$1.')
      .split('.');
    const at = Number(index);
    if (!Number.isInteger(at) || at < 0 || at > MOST_MESSAGES) continue;
    messages[at] ??= {};
    // The texts of parts, `contents.0.message_content.text`, and of calls, `tool_calls.0.function.name`.
    place(
      messages[at],
      path.filter((step) => !STEPS_OF_FORMAT.has(step)),
      value,
    );
  }
  return messages.flatMap((message) => {
    if (message === undefined) return [];
    const { contents, tool_call_id: id, ...plain } = message;
    return [
      {
        ...plain,
        ...(contents === undefined ? {} : { content: contents }),
        ...(id === undefined ? {} : { tool_call_id: id }),
      },
    ];
  });
}

const MOST_MESSAGES = 10_000;
const STEPS_OF_FORMAT = new Set(['message_content', 'tool_call']);

/** Sets a value at a path. Numbers are indices of lists. */
function place(target: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let inner: Record<string, unknown> | unknown[] = target;
  for (const [index, step] of path.entries()) {
    if (step === '__proto__' || (Array.isArray(inner) && !(Number(step) <= MOST_MESSAGES))) return;
    const own: Record<string, unknown> = inner as Record<string, unknown>;
    if (index === path.length - 1) {
      own[step] = value;
      return;
    }
    if (!Object.hasOwn(own, step)) own[step] = /^\d+$/.test(path[index + 1] ?? '') ? [] : {};
    const next: unknown = own[step];
    if (typeof next !== 'object' || next === null) return;
    inner = next as Record<string, unknown>;
  }
}
