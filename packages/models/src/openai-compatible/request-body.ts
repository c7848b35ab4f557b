import { CriteriaError, contentText, type JsonSchema, type ModelRequest, type State } from '@agent-criteria/core';

/** The form of request that a server understands. */
export interface Spelling {
  /** How the model receives the answer's schema. `strict` is `json_schema` if the schema fits strict mode. */
  readonly format: 'strict' | 'json_schema' | 'json_object' | 'none';
  readonly tokenLimit: 'max_tokens' | 'max_completion_tokens';
}

/** Names of settings in Gemini's `GenerateContentConfig`, mapped to OpenAI's names. */
const names: ReadonlyMap<string, string> = new Map([
  ['topP', 'top_p'],
  ['topK', 'top_k'],
  ['stopSequences', 'stop'],
  ['stop_sequences', 'stop'],
  ['presencePenalty', 'presence_penalty'],
  ['frequencyPenalty', 'frequency_penalty'],
  ['serviceTier', 'service_tier'],
  ['maxOutputTokens', 'max_tokens'],
  ['max_output_tokens', 'max_tokens'],
  ['max_completion_tokens', 'max_tokens'],
]);
const ADDRESS =
  'the settings of a model cannot set its address, because the key is sent there; set the variable of its provider, such as OPENAI_BASE_URL or VLLM_BASE_URL, or name a model of openAiCompatible({ baseUrl }) in models of agent-criteria.config';
const KEY =
  'the settings of a model are saved with each run, and hold no key and no header; set the variable of its provider, such as OPENAI_API_KEY, or name a model of openAiCompatible({ headers }) in models of agent-criteria.config';
const CALLS = 'time limits and retries are settings of the run; use --call-timeout and --max-retries';
const BODY = 'every setting is a field of the body already; write the fields themselves';
/** Fields that only the request itself sets. */
const taken: ReadonlySet<string> = new Set(['model', 'messages', 'stream', 'response_format', '__proto__']);

/**
 * Settings of clients in other languages, in lower case, with the reason why they are rejected: no server would read
 * them in the body.
 */
const ofClients: ReadonlyMap<string, string> = new Map([
  ...['baseurl', 'apibase', 'httpoptions', 'endpoint', 'url', 'host', 'apiversion', 'proxy'].map(
    (name) => [name, ADDRESS] as const,
  ),
  ...['apikey', 'authorization', 'organization', 'headers', 'extraheaders', 'defaultheaders'].map(
    (name) => [name, KEY] as const,
  ),
  ...['timeout', 'maxretries'].map((name) => [name, CALLS] as const),
  ...['extrabody', 'extraquery'].map((name) => [name, BODY] as const),
]);

/** Builds the body of a request. Settings override the request, and later settings override earlier ones. */
export function requestBody(
  model: string,
  request: ModelRequest,
  { format, tokenLimit }: Spelling,
  settings: readonly Settings[],
): object {
  const { schema, temperature, seed, maxOutputTokens } = request;
  const limit = settings.map((one) => one.limit).findLast((one) => one !== undefined) ?? maxOutputTokens;
  return {
    model,
    messages: messagesOf(request, format),
    temperature,
    seed,
    ...Object.assign({}, ...settings.map((one) => one.fields)),
    [tokenLimit]: limit,
    ...(schema === undefined ? {} : responseFormat(schema, format)),
  };
}

/** Settings with OpenAI's names, except for the token limit, which has two names. */
export interface Settings {
  readonly limit?: unknown;
  readonly fields: Readonly<Record<string, unknown>>;
}

/**
 * Translates settings to OpenAI's names. Settings with other names are passed on unchanged.
 *
 * @throws CriteriaError INVALID_OPTION or KEY_SPELT_TWICE for settings that cannot be sent.
 */
export function readSettings(settings: State): Settings {
  const read = new Map<string, unknown>();
  for (const [key, value] of Object.entries(settings)) {
    if (value === undefined) continue;
    const name = names.get(key) ?? key;
    if (taken.has(name)) {
      throw new CriteriaError({ code: 'INVALID_OPTION', message: `"${key}" cannot be a setting of a model` });
    }
    const advice = ofClients.get(key.toLowerCase().replaceAll(/[_-]/g, ''));
    if (advice !== undefined) {
      throw new CriteriaError({
        code: 'INVALID_OPTION',
        message: `"${key}" is not a setting of this model: ${advice}`,
      });
    }
    if (value === null) continue;
    if (read.has(name)) {
      const message = `the settings of a model have "${key}", and the same setting under another name`;
      throw new CriteriaError({ code: 'KEY_SPELT_TWICE', message });
    }
    read.set(name, value);
  }
  const limit = read.get('max_tokens');
  read.delete('max_tokens');
  return { limit, fields: Object.fromEntries(read) };
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

/**
 * Whether a schema fits strict mode, which requires objects at every level to require all properties and allow no
 * others.
 */
export function isStrict(schema: JsonSchema): boolean {
  const all: unknown[] = [schema];
  for (const one of all) {
    if (typeof one !== 'object' || one === null) continue;
    const { type, properties, required, additionalProperties } = one as JsonSchema;
    if (type === 'object' || (Array.isArray(type) && type.includes('object'))) {
      const named = Array.isArray(required) ? required : [];
      if (additionalProperties !== false) return false;
      if (Object.keys(properties ?? {}).some((name) => !named.includes(name))) return false;
    }
    all.push(...Object.values(one));
  }
  return schema.type === 'object';
}
