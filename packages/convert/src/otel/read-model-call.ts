import { isObject } from '@agent-criteria/formats';
import { objectsIn } from '../fields.ts';
import { readGenkitCall } from './read-genkit-call.ts';
import { fromContents, fromConvention, fromFlattened, type Message } from './to-messages.ts';
import { parsed, type TraceSpan, textAt, valueAtAttribute } from './trace-span.ts';

/** A call to a model, as far as its span has it. */
export interface ModelCall {
  /** The conversation that the model was sent, without its instructions. Empty if the content was not recorded. */
  readonly input: readonly Message[];
  /** The message that it answered. */
  readonly output: readonly Message[];
  readonly instructions: string | undefined;
  readonly tools: unknown;
  readonly model: string | undefined;
  /** Token counts in any spelling, or `undefined` if there are none. */
  readonly usage: object | undefined;
  /** Grounding of the answer, as Gemini reports it. */
  readonly grounding?: unknown;
}

/** Reads a call to a model by the conventions that its span follows, one of them alone. */
export function readModelCall(span: TraceSpan): ModelCall {
  const { attributes } = span;
  if (attributes.has('genkit:metadata:subtype')) return readGenkitCall(span);
  const value = (...names: readonly string[]) => valueAtAttribute(attributes, ...names);
  const shared = {
    model: textAt(span, 'gen_ai.response.model', 'gen_ai.request.model', 'llm.model_name', 'ai.model.id'),
    usage: usageOf(span),
  };
  const request = value('gcp.vertex.agent.llm_request');
  if (isObject(request) && Array.isArray(request.contents)) {
    const response = value('gcp.vertex.agent.llm_response');
    const answer = isObject(response) && isObject(response.content) ? [response.content] : [];
    const config = isObject(request.config) ? request.config : {};
    const [declared] = objectsIn(config.tools);
    return {
      ...shared,
      input: fromContents(request.contents),
      output: fromContents(answer),
      instructions: textOfInstructions(config.systemInstruction ?? config.system_instruction),
      tools: declared?.functionDeclarations ?? declared?.function_declarations,
      grounding: isObject(response) ? (response.groundingMetadata ?? response.grounding_metadata) : undefined,
    };
  }
  const inputs = value('gen_ai.input.messages', 'gen_ai.prompt');
  if (inputs !== undefined || attributes.has('gen_ai.output.messages')) {
    const { system, others } = withoutSystem(fromConvention(inputs));
    return {
      ...shared,
      input: others,
      output: fromConvention(value('gen_ai.output.messages')),
      instructions: textOfInstructions(value('gen_ai.system_instructions')) ?? system,
      tools: value('gen_ai.tool.definitions'),
    };
  }
  const prompt = value('ai.prompt.messages');
  if (Array.isArray(prompt)) {
    const { system, others } = withoutSystem(prompt.filter(isObject));
    const tools = value('ai.prompt.tools');
    return {
      ...shared,
      input: others,
      output: [answerOfAiSdk(span)],
      instructions: system,
      tools: Array.isArray(tools) ? tools.map((one) => (typeof one === 'string' ? parsed(one) : one)) : undefined,
    };
  }
  const { system, others } = withoutSystem(flattened(span, 'llm.input_messages', 'gen_ai.prompt') ?? ofEvents(span));
  const output = flattened(span, 'llm.output_messages', 'gen_ai.completion') ?? choicesOf(span);
  return { ...shared, input: others, output, instructions: system, tools: undefined };
}

function flattened({ attributes }: TraceSpan, ...prefixes: readonly string[]): readonly Message[] | null {
  for (const prefix of prefixes) {
    const messages = fromFlattened(attributes, prefix);
    if (messages.length > 0) return messages;
  }
  return null;
}

/** The messages of older releases of the conventions are events of the span, one for each. */
function ofEvents({ events }: TraceSpan): readonly Message[] {
  return events.flatMap(({ name, attributes }) => {
    const role = /^gen_ai\.(system|user|assistant|tool)\.message$/.exec(name)?.[1];
    if (role === undefined) return [];
    const { id, tool_calls: calls, content } = fieldsOf(attributes);
    return [{ role, content, ...(role === 'tool' ? { tool_call_id: id } : { tool_calls: calls }) }];
  });
}

function choicesOf({ events }: TraceSpan): readonly Message[] {
  return events.flatMap(({ name, attributes }) => {
    if (name !== 'gen_ai.choice') return [];
    const { message, content, tool_calls: calls } = fieldsOf(attributes);
    return [{ role: 'assistant', ...(isObject(message) ? message : { content, tool_calls: calls }) }];
  });
}

function fieldsOf(attributes: ReadonlyMap<string, unknown>): Readonly<Record<string, unknown>> {
  const entries = [...attributes].map(([key, value]) => [
    key,
    typeof value === 'string' ? (parsed(value) ?? value) : value,
  ]);
  return Object.fromEntries(entries);
}

function answerOfAiSdk(span: TraceSpan): Message {
  const calls = valueAtAttribute(span.attributes, 'ai.response.toolCalls');
  const text = textAt(span, 'ai.response.text', 'ai.response.object');
  const thought = textAt(span, 'ai.response.reasoning');
  const parts = [
    ...(thought === undefined ? [] : [{ type: 'reasoning', text: thought }]),
    ...(text === undefined ? [] : [{ type: 'text', text }]),
    ...objectsIn(calls).map(({ toolCallId, toolName, input, args }) => {
      const given = input ?? args;
      return {
        type: 'tool-call',
        toolCallId,
        toolName,
        input: typeof given === 'string' ? (parsed(given) ?? given) : given,
      };
    }),
  ];
  return { role: 'assistant', content: parts };
}

function withoutSystem(messages: readonly Message[]) {
  const isSystem = ({ role }: Message) => role === 'system' || role === 'developer';
  const texts = messages.filter(isSystem).flatMap(({ content }) => textOfInstructions(content) ?? []);
  return {
    system: texts.length === 0 ? undefined : texts.join('\n\n'),
    others: messages.filter((message) => !isSystem(message)),
  };
}

/** Returns the text of instructions: a text, or parts with a text in any spelling. */
export function textOfInstructions(instructions: unknown): string | undefined {
  if (typeof instructions === 'string') return instructions === '' ? undefined : instructions;
  if (Array.isArray(instructions)) {
    const texts = instructions.flatMap((one) => textOfInstructions(one) ?? []);
    return texts.length === 0 ? undefined : texts.join('\n');
  }
  if (!isObject(instructions)) return undefined;
  return textOfInstructions(instructions.content ?? instructions.text ?? instructions.parts);
}

/** The names of token counts, and those that `usageMetadata` reads. */
const COUNTS = {
  input_tokens: [
    'gen_ai.usage.input_tokens',
    'gen_ai.usage.prompt_tokens',
    'llm.token_count.prompt',
    'ai.usage.inputTokens',
  ],
  output_tokens: [
    'gen_ai.usage.output_tokens',
    'gen_ai.usage.completion_tokens',
    'llm.token_count.completion',
    'ai.usage.outputTokens',
  ],
  cached_tokens: [
    'gen_ai.usage.cache_read.input_tokens',
    'ai.usage.cachedInputTokens',
    'llm.token_count.prompt_details.cache_read',
  ],
  reasoning_tokens: [
    'gen_ai.usage.reasoning.output_tokens',
    'ai.usage.reasoningTokens',
    'llm.token_count.completion_details.reasoning',
  ],
} as const;

function usageOf({ attributes }: TraceSpan): object | undefined {
  const counts = Object.entries(COUNTS).flatMap(([name, names]) => {
    const found = names.map((one) => attributes.get(one)).find((one) => one !== undefined);
    const count = Number(found);
    return found === undefined || !Number.isFinite(count) ? [] : [[name, count]];
  });
  return counts.length === 0 ? undefined : Object.fromEntries(counts);
}
