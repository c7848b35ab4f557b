import { base64Size, isObject } from '@agent-criteria/formats';

type Values = Readonly<Record<string, unknown>>;

export type MessagePart =
  | { readonly kind: 'text' | 'thought'; readonly text: string }
  | { readonly kind: 'call' | 'result'; readonly name: string; readonly value: unknown }
  /** An image, sound or file, named by its type or address; `bytes` is `null` if its size is unknown. */
  | { readonly kind: 'media'; readonly name: string; readonly bytes: number | null }
  | { readonly kind: 'other'; readonly name: string; readonly value: unknown };

export interface ModelMessage {
  readonly role: string;
  readonly parts: readonly MessagePart[];
}

export interface ModelTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema, or `undefined` if the tool has no parameters. */
  readonly parameters: unknown;
}

/** A request to a model, in the order in which the model reads it. */
export interface ModelRequest {
  readonly model: string | null;
  readonly system: string;
  readonly tools: readonly ModelTool[];
  readonly messages: readonly ModelMessage[];
  /** All else that was asked for. */
  readonly settings: Values;
}

export interface ModelResponse {
  readonly messages: readonly ModelMessage[];
  /** All else that was answered, such as why it ended. */
  readonly facts: Values;
}

/**
 * Reads a request in the form of Gemini (and of ADK, in either spelling), OpenAI's chat or Anthropic's messages.
 *
 * @returns `null` for any other form.
 */
export function readRequest(value: unknown): ModelRequest | null {
  if (!isObject(value)) return null;
  if (Array.isArray(value.contents)) return geminiRequest(value, value.contents);
  if (Array.isArray(value.messages)) return chatRequest(value, value.messages);
  return null;
}

/** Reads a response in one of the forms of `readRequest`. */
export function readResponse(value: unknown): ModelResponse | null {
  if (!isObject(value)) return null;
  if (Array.isArray(value.candidates)) {
    const { candidates, ...facts } = value;
    return responseOf(candidates, 'content', facts);
  }
  if (Array.isArray(value.choices)) {
    const { choices, ...facts } = value;
    return responseOf(choices, 'message', facts);
  }
  const { content, role, ...facts } = value;
  if (Array.isArray(content)) return { messages: [messageOf({ role: role ?? 'assistant', content })], facts };
  return isObject(content) && Array.isArray(content.parts) ? { messages: [messageOf(content)], facts } : null;
}

function responseOf(answers: readonly unknown[], key: 'content' | 'message', facts: Values): ModelResponse | null {
  if (!answers.every((one) => isObject(one) && isObject(one[key]))) return null;
  const known = answers as readonly Values[];
  const [first] = known;
  const { [key]: _, ...own } = first ?? {};
  return { messages: known.map((one) => messageOf(one[key] as Values)), facts: { ...own, ...facts } };
}

function geminiRequest(value: Values, contents: readonly unknown[]): ModelRequest | null {
  const { contents: _, model, config, ...outer } = value;
  const all: Values = { ...outer, ...(isObject(config) ? config : {}) };
  const { systemInstruction, system_instruction, tools, ...settings } = all;
  if (!contents.every(isObject)) return null;
  return {
    model: typeof model === 'string' ? model : null,
    system: textOf(systemInstruction ?? system_instruction),
    tools: toolsOf(tools),
    messages: contents.map(messageOf),
    settings: withoutEmpty(settings),
  };
}

function chatRequest(value: Values, given: readonly unknown[]): ModelRequest | null {
  const { messages: _, model, system, tools, ...settings } = value;
  if (!given.every(isObject)) return null;
  const isSystem = ({ role }: Values) => role === 'system' || role === 'developer';
  const from = given.findIndex((message) => !isSystem(message));
  const start = from < 0 ? given.length : from;
  const systems = [textOf(system), ...given.slice(0, start).map(({ content, parts }) => textOf(content ?? parts))];
  return {
    model: typeof model === 'string' ? model : null,
    system: systems.filter((text) => text !== '').join('\n\n'),
    tools: toolsOf(tools),
    messages: given.slice(start).map(messageOf),
    settings: withoutEmpty(settings),
  };
}

function messageOf(message: Values): ModelMessage {
  const { role, parts, content, tool_calls: calls, tool_call_id: id, name, reasoning_content: thought } = message;
  const said = parts ?? content;
  const isResult = role === 'tool' || role === 'function';
  const own: readonly MessagePart[] = isResult
    ? [{ kind: 'result', name: nameOf(name, id), value: jsonOf(said) }]
    : typeof said === 'string'
      ? textPart(said)
      : Array.isArray(said)
        ? said.flatMap(partOf)
        : [];
  return {
    role: typeof role === 'string' ? role : 'message',
    parts: [
      ...(typeof thought === 'string' && thought !== '' ? [{ kind: 'thought', text: thought } as const] : []),
      ...own,
      ...(Array.isArray(calls) ? calls.flatMap(partOf) : []),
    ],
  };
}

function textPart(text: string): readonly MessagePart[] {
  return text === '' ? [] : [{ kind: 'text', text }];
}

function partOf(part: unknown): readonly MessagePart[] {
  if (typeof part === 'string') return textPart(part);
  if (!isObject(part)) return [{ kind: 'other', name: 'part', value: part }];
  const { text, thought, type } = part;
  const call = part.functionCall ?? part.function_call ?? part.function ?? (type === 'tool_use' ? part : undefined);
  if (isObject(call)) {
    return [{ kind: 'call', name: nameOf(call.name), value: jsonOf(call.args ?? call.arguments ?? call.input) }];
  }
  const result = part.functionResponse ?? part.function_response;
  if (isObject(result)) return [{ kind: 'result', name: nameOf(result.name), value: result.response ?? null }];
  if (type === 'tool_result') {
    return [{ kind: 'result', name: nameOf(part.tool_use_id), value: jsonOf(part.content) }];
  }
  if (typeof part.thinking === 'string') return [{ kind: 'thought', text: part.thinking }];
  if (typeof text === 'string') return thought === true && text !== '' ? [{ kind: 'thought', text }] : textPart(text);
  const media = mediaOf(part);
  if (media !== null) return [media];
  const { thoughtSignature: _, thought_signature: __, ...rest } = part;
  const [name] = Object.keys(rest);
  return name === undefined ? [] : [{ kind: 'other', name, value: rest }];
}

function mediaOf(part: Values): MessagePart | null {
  const inline = part.inlineData ?? part.inline_data ?? part.source ?? part.input_audio;
  if (isObject(inline) && typeof inline.data === 'string') {
    const type = inline.mimeType ?? inline.mime_type ?? inline.media_type ?? inline.format;
    return { kind: 'media', name: nameOf(inline.displayName, type, 'data'), bytes: base64Size(inline.data) };
  }
  const file = part.fileData ?? part.file_data;
  if (isObject(file)) {
    const name = nameOf(file.displayName, file.fileUri, file.file_uri, 'file');
    return { kind: 'media', name, bytes: null };
  }
  const image = isObject(part.image_url) ? part.image_url.url : part.image_url;
  const address = image ?? (isObject(inline) ? inline.url : undefined);
  if (typeof address !== 'string') return null;
  const [, type, data] = /^data:([^;,]*)[^,]{0,100},(.*)$/s.exec(address) ?? [];
  if (type === undefined) return { kind: 'media', name: address, bytes: null };
  return { kind: 'media', name: type === '' ? 'data' : type, bytes: base64Size(data ?? '') };
}

function toolsOf(tools: unknown): readonly ModelTool[] {
  if (!Array.isArray(tools)) return [];
  return tools.flatMap((tool: unknown): ModelTool[] => {
    if (!isObject(tool)) return [];
    const declared = tool.functionDeclarations ?? tool.function_declarations;
    if (Array.isArray(declared)) return declared.flatMap((one) => (isObject(one) ? [toolOf(one)] : []));
    if (isObject(tool.function)) return [toolOf(tool.function)];
    if (typeof tool.name === 'string') return [toolOf(tool)];
    // Tools of the provider, such as a search.
    return Object.entries(tool).map(([name, parameters]) => ({ name, description: '', parameters }));
  });
}

function toolOf(tool: Values): ModelTool {
  const parameters = [tool.parameters, tool.parametersJsonSchema, tool.parameters_json_schema, tool.input_schema];
  return {
    name: nameOf(tool.name),
    description: typeof tool.description === 'string' ? tool.description : '',
    parameters: parameters.find((one) => one !== undefined && one !== null),
  };
}

/** Returns the first of several values that is a text. */
function nameOf(...values: readonly unknown[]): string {
  return values.find((value) => typeof value === 'string') ?? '';
}

/** Joins the texts of an instruction, which may be text, parts or a message. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(textOf).filter(Boolean).join('\n\n');
  if (!isObject(value)) return '';
  return typeof value.text === 'string' ? value.text : textOf(value.parts);
}

/** Parses arguments and results that are JSON in a text. */
function jsonOf(value: unknown): unknown {
  if (typeof value !== 'string') return value ?? null;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function withoutEmpty(values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).filter(
      ([, value]) => value !== undefined && value !== null && !(isObject(value) && Object.keys(value).length === 0),
    ),
  );
}
