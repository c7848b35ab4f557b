import { CriteriaError, contentText, type JsonSchema, type ModelRequest } from '@agent-criteria/core';

/** In which of several words a server is asked. */
export interface Spelling {
  /** How it is told the form of an answer: `strict` is `json_schema` where the schema fits strict mode. */
  readonly format: 'strict' | 'json_schema' | 'json_object' | 'none';
  readonly tokenLimit: 'max_tokens' | 'max_completion_tokens';
}

/** Settings in the words of Gemini's `GenerateContentConfig`, in either spelling, and what OpenAI calls them. */
const names: ReadonlyMap<string, string> = new Map([
  ['topP', 'top_p'],
  ['topK', 'top_k'],
  ['stopSequences', 'stop'],
  ['stop_sequences', 'stop'],
  ['presencePenalty', 'presence_penalty'],
  ['frequencyPenalty', 'frequency_penalty'],
  ['serviceTier', 'service_tier'],
]);
const limits: ReadonlySet<string> = new Set([
  ...['maxOutputTokens', 'max_output_tokens', 'max_tokens', 'max_completion_tokens'],
]);
/** What only the request itself can say. */
const taken: ReadonlySet<string> = new Set(['model', 'messages', 'stream', 'response_format']);

/**
 * The body of a request. Settings win over what the caller asks for; those that Gemini and OpenAI name differently are
 * translated, all others are sent as they are.
 *
 * @throws CriteriaError INVALID_OPTION or KEY_SPELT_TWICE for settings that cannot be sent.
 */
export function requestBody(model: string, request: ModelRequest, { format, tokenLimit }: Spelling): object {
  const { schema, temperature, seed, maxOutputTokens, settings = {} } = request;
  const body: Record<string, unknown> = {
    model,
    messages: messagesOf(request, format),
    ...(temperature === undefined ? {} : { temperature }),
    ...(seed === undefined ? {} : { seed }),
    ...(maxOutputTokens === undefined ? {} : { [tokenLimit]: maxOutputTokens }),
    ...(schema === undefined ? {} : responseFormat(schema, format)),
  };
  const written = new Set<string>();
  for (const [key, value] of Object.entries(settings)) {
    const name = limits.has(key) ? tokenLimit : (names.get(key) ?? key);
    if (taken.has(name) || name === '__proto__') {
      throw new CriteriaError({ code: 'INVALID_OPTION', message: `"${key}" cannot be a setting of a model` });
    }
    if (value === null) continue;
    if (written.has(name)) {
      const message = `the settings of a model say "${name}" twice, the second time as "${key}"`;
      throw new CriteriaError({ code: 'KEY_SPELT_TWICE', message });
    }
    written.add(name);
    body[name] = value;
  }
  return body;
}

function messagesOf({ system, messages, schema }: ModelRequest, format: Spelling['format']): object[] {
  const inWords =
    schema === undefined || format === 'strict' || format === 'json_schema'
      ? []
      : [`Answer with one JSON object and nothing else. It must fit this JSON Schema:\n${JSON.stringify(schema)}`];
  const instruction = [...(system === undefined ? [] : [system]), ...inWords].join('\n\n');
  return [
    ...(instruction === '' ? [] : [{ role: 'system', content: instruction }]),
    ...messages.map((message) => ({
      role: message.role === 'model' ? 'assistant' : 'user',
      content: contentText(message),
    })),
  ];
}

function responseFormat(schema: JsonSchema, format: Spelling['format']): object {
  if (format === 'none') return {};
  if (format === 'json_object') return { response_format: { type: 'json_object' } };
  const strict = format === 'strict' && isStrict(schema) ? { strict: true } : {};
  return { response_format: { type: 'json_schema', json_schema: { name: 'answer', ...strict, schema } } };
}

/** Strict mode wants every property required and no others allowed, everywhere. */
function isStrict(schema: JsonSchema): boolean {
  const waiting: unknown[] = [schema];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    const { type, properties, required, additionalProperties } = next as JsonSchema;
    const isObject = type === 'object' || (Array.isArray(type) && type.includes('object'));
    if (isObject) {
      const named = Array.isArray(required) ? required : [];
      const all = Object.keys(properties ?? {}).every((name) => named.includes(name));
      if (additionalProperties !== false || !all) return false;
    }
    waiting.push(...Object.values(next).map((value) => value ?? 0));
  }
  return schema.type === 'object';
}
