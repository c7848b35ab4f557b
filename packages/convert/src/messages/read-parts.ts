import type { FunctionResponse, Part } from '@agent-criteria/core';
import { isObject } from '@agent-criteria/formats';
import { type AgentStep, messageOf, readCall } from '@agent-criteria/formats/messages';
import { toolAnswer } from './tool-answer.ts';

type Fields = Readonly<Record<string, unknown>>;
type OnLoss = (what: string) => void;

/** One piece of a message, in order. */
export interface MessageItem {
  /** The text or the file that the reader of the message sees, or `null` for thoughts, calls and results. */
  readonly part: Part | null;
  /** The piece as a step of a turn, or `null` for files. */
  readonly step: AgentStep | null;
}

/** Reads the content of a message: a text, or a list of parts in the spellings of OpenAI, the AI SDK and Anthropic. */
export function readParts(content: unknown, onLoss: OnLoss): readonly MessageItem[] {
  if (typeof content === 'string') return textOnly(content);
  if (content === null || content === undefined) return [];
  const list = Array.isArray(content) ? content : [content];
  return list.flatMap((part): readonly MessageItem[] => {
    if (typeof part === 'string') return textOnly(part);
    if (isObject(part)) return readPart(part, onLoss);
    onLoss('parts of messages that are neither texts nor objects, left out');
    return [];
  });
}

function textOnly(text: string): readonly MessageItem[] {
  return text === '' ? [] : [{ part: { text }, step: { kind: 'text', text } }];
}

function fileOnly(part: Part): readonly MessageItem[] {
  return [{ part, step: null }];
}

function stepsOnly(...steps: readonly AgentStep[]): readonly MessageItem[] {
  return steps.map((step) => ({ part: null, step }));
}

/** Types of parts that say nothing about the conversation itself. */
const SILENT = new Set(['step-start', 'redacted_thinking', 'redacted-reasoning']);

function readPart(part: Fields, onLoss: OnLoss): readonly MessageItem[] {
  const { type, text } = part;
  const kind = typeof type === 'string' ? type : '';
  if (SILENT.has(kind)) return [];
  if (kind === CODE_PART) return stepsOnly(...codeSteps(part));
  if (kind === 'reasoning' || kind === 'thinking') return thought(text ?? part.thinking);
  if (kind === 'refusal' && typeof part.refusal === 'string') return textOnly(part.refusal);
  if (typeof text === 'string' && ['', 'text', 'input_text', 'output_text', 'summary_text'].includes(kind)) {
    return textOnly(text);
  }
  const file = readFilePart(part, kind);
  if (file !== null) return fileOnly(file);
  if (kind === 'tool-call' || kind === 'tool_use') return callOf(part, onLoss);
  if (kind === 'tool-result' || kind === 'tool_result' || kind === 'tool-error') return stepsOnly(responseStep(part));
  if (kind === 'dynamic-tool' || kind.startsWith('tool-')) {
    // The AI SDK's UI messages have a call and its result in one part, whose type ends with the tool's name.
    const read = uiTool(part, kind);
    if (read !== null) return read;
  }
  onLoss(
    kind === ''
      ? 'parts of messages without a type, left out'
      : `parts of messages of the type "${kind.slice(0, 60)}", left out`,
  );
  return [];
}

/** The type of parts of Gemini with code that was run, or with its result. No format writes it. */
export const CODE_PART = 'gemini-code';

function codeSteps({ executableCode: code, codeExecutionResult: result }: Fields): readonly AgentStep[] {
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  const parts: readonly Part[] = [
    ...(isObject(code) ? [{ executableCode: { language: text(code.language), code: text(code.code) } }] : []),
    ...(isObject(result)
      ? [{ codeExecutionResult: { outcome: text(result.outcome), output: text(result.output) } }]
      : []),
  ];
  return parts.map((part) => ({ kind: 'part', part }));
}

function thought(text: unknown): readonly MessageItem[] {
  return typeof text === 'string' && text !== '' ? stepsOnly({ kind: 'text', text, thought: true }) : [];
}

function callOf(part: Fields, onLoss: OnLoss): readonly MessageItem[] {
  const { toolCallId, toolName, id, name } = part;
  const input = part.input ?? part.args;
  const args = isObject(input) ? input : input === undefined || input === null ? undefined : { input };
  if (args !== undefined && args !== input) {
    onLoss('arguments of tool calls that are not a JSON object, kept as the text "input"');
  }
  const read = readCall({ id: (toolCallId ?? id) as string, name: (toolName ?? name) as string, args });
  if (!('problem' in read)) return stepsOnly({ kind: 'call', ...read });
  onLoss('tool calls without a name, left out');
  return [];
}

function responseStep(part: Fields): AgentStep {
  const id = [part.toolCallId, part.tool_use_id].find((one): one is string => typeof one === 'string');
  const name = typeof part.toolName === 'string' ? part.toolName : '';
  const response: FunctionResponse = { ...(id === undefined ? {} : { id }), name, response: resultOf(part) };
  return { kind: 'response', response };
}

/** Reads a result: the AI SDK wraps it in an object that tells its type, Anthropic has parts and a flag for errors. */
function resultOf(part: Fields): Readonly<Record<string, unknown>> {
  const { output, result, content, error, is_error: isFailed } = part;
  if (error !== undefined && error !== null) return { error: messageOf(error) };
  const given = output ?? result ?? content ?? null;
  if (isObject(given) && typeof given.type === 'string' && 'value' in given) {
    const { type, value } = given;
    if (type === 'error-text' || type === 'error-json') return { error: messageOf(value) };
    return toolAnswer(type === 'content' ? textIn(value) : value);
  }
  const plain = Array.isArray(given) && given.every((one) => isObject(one) && 'type' in one) ? textIn(given) : given;
  return isFailed === true ? { error: messageOf(plain) } : toolAnswer(plain);
}

function uiTool(part: Fields, kind: string): readonly MessageItem[] | null {
  const { toolCallId, input, output, errorText, state } = part;
  const name = kind === 'dynamic-tool' ? part.toolName : kind.slice('tool-'.length);
  if (typeof toolCallId !== 'string' || typeof state !== 'string') return null;
  const args = isObject(input) ? input : input === undefined ? undefined : { input };
  const read = readCall({ id: toolCallId, name: name as string, args });
  if ('problem' in read) return null;
  const failed = typeof errorText === 'string' ? { error: errorText } : null;
  const response = failed ?? (output === undefined ? null : toolAnswer(output));
  const ofCall = { kind: 'call', ...read } as const;
  if (response === null) return stepsOnly(ofCall);
  return stepsOnly({ ...ofCall, response: { id: toolCallId, name: read.call.name ?? '', response } });
}

/** Reads a picture, a sound or another file. Returns `null` for anything else. */
function readFilePart(part: Fields, kind: string): Part | null {
  const { image_url: image, input_audio: audio, file } = part;
  const mediaType = [part.mediaType, part.mimeType].find((one): one is string => typeof one === 'string');
  if (kind === 'image_url' || kind === 'input_image') {
    return placed(isObject(image) ? image.url : image, undefined);
  }
  if (kind === 'input_audio' && isObject(audio)) return placed(audio.data, `audio/${String(audio.format ?? 'wav')}`);
  if (kind === 'image' && isObject(part.source)) {
    const { data, url, media_type: type } = part.source;
    return placed(data ?? url, typeof type === 'string' ? type : undefined);
  }
  if (kind === 'image') return placed(part.image, mediaType ?? 'image/*');
  if (kind === 'file' || kind === 'input_file') {
    const own = isObject(file) ? file : part;
    const name = [own.filename, own.file_id].find((one): one is string => typeof one === 'string');
    const data = own.data ?? own.url ?? own.file_data ?? own.file_url;
    if (data === undefined && name !== undefined) return { fileData: { fileUri: name } };
    return placed(data, mediaType, name);
  }
  return null;
}

/** Places a file by its data, which may be a data URL, or by its URL. */
function placed(data: unknown, mimeType: string | undefined, displayName?: string): Part | null {
  if (typeof data !== 'string' || data === '') return null;
  const name = displayName === undefined ? {} : { displayName };
  const inline = /^data:([^;,]+)?(?:;[^,]*)?;base64,(.*)$/s.exec(data);
  if (inline !== null) {
    return {
      inlineData: { mimeType: inline[1] ?? mimeType ?? 'application/octet-stream', data: inline[2] ?? '', ...name },
    };
  }
  const type = mimeType === undefined ? {} : { mimeType };
  if (/^[a-z][a-z\d+.-]*:/i.test(data)) return { fileData: { fileUri: data, ...type, ...name } };
  return { inlineData: { mimeType: mimeType ?? 'application/octet-stream', data, ...name } };
}

/** Returns the texts of a content, joined by line breaks. Other content is written as JSON. */
export function textIn(content: unknown): string {
  if (typeof content === 'string') return content;
  if (content === null || content === undefined) return '';
  if (!Array.isArray(content)) return JSON.stringify(content);
  const texts = content.map((part) => (isObject(part) && typeof part.text === 'string' ? part.text : part));
  return texts.map((text) => (typeof text === 'string' ? text : JSON.stringify(text))).join('\n');
}
