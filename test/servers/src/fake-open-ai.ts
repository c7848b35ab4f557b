import { type Answer, type Asked, fittingAnswer, isFault, type Said, sampleCounter, usageOf } from './answers.ts';
import { type Fault, openAiError } from './faults.ts';
import { type FakeServer, type ServerOptions, startServer } from './http-server.ts';

export interface FakeOpenAiOptions extends ServerOptions {
  /** The model. Default: an answer that matches the schema. */
  readonly answer?: Answer;
  /** The required key, or `null` if none is required, as with Ollama. Default `test-key`. */
  readonly key?: string | null;
  /** The available models. Default `test-model`. */
  readonly models?: readonly string[];
  /** The supported kinds of `response_format`. Default: both. */
  readonly formats?: readonly ('json_schema' | 'json_object')[];
  /** The only accepted name for the token limit. Default: either. */
  readonly tokenLimit?: 'max_tokens' | 'max_completion_tokens';
}

const fields = new Set([
  ...['model', 'messages', 'temperature', 'top_p', 'seed', 'stop', 'max_tokens', 'max_completion_tokens', 'n'],
  ...['response_format', 'presence_penalty', 'frequency_penalty', 'logprobs', 'top_logprobs', 'user', 'stream'],
  ...['reasoning_effort', 'service_tier', 'metadata', 'store', 'verbosity', 'top_k'],
]);

/**
 * Starts a fake server of OpenAI's chat completions, at `url + '/v1'`. It rejects the same requests as such servers: a
 * missing or wrong key, an unknown model, unknown arguments, and unsupported response formats.
 */
export function startFakeOpenAi(options: FakeOpenAiOptions = {}): Promise<FakeServer> {
  const { key = 'test-key', models = ['test-model'], answer = fittingAnswer() } = options;
  const counted = sampleCounter();

  return startServer(options, async (request): Promise<Fault> => {
    if (request.method !== 'POST' || request.path !== '/v1/chat/completions') {
      return openAiError(404, 'invalid_request_error', `Invalid URL (${request.method} ${request.path})`);
    }
    const given = request.headers.authorization;
    if (key !== null && given !== `Bearer ${key}`) {
      return given === undefined
        ? openAiError(401, 'invalid_request_error', "You didn't provide an API key.")
        : openAiError(401, 'invalid_request_error', 'Incorrect API key provided.', { code: 'invalid_api_key' });
    }
    const refused = notUnderstood(request.body, options);
    if (refused !== null) return refused;
    const body = request.body as Body;
    if (!models.includes(body.model)) {
      const message = `The model '${body.model}' does not exist or you do not have access to it.`;
      return openAiError(404, 'invalid_request_error', message, { code: 'model_not_found' });
    }
    const asked = counted(question(body));
    const said = await answer(asked);
    return isFault(said)
      ? said
      : { status: 200, body: completion(asked, typeof said === 'string' ? { text: said } : said) };
  });
}

interface Body {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly response_format?: Format;
}

interface Format {
  readonly type: string;
  readonly json_schema?: { readonly name?: string; readonly strict?: boolean; readonly schema?: object };
}

function notUnderstood(body: unknown, { formats, tokenLimit }: FakeOpenAiOptions): Fault | null {
  if (typeof body !== 'object' || body === null) return invalid('We could not parse the JSON body of your request.');
  const unknown = Object.keys(body).find((name) => !fields.has(name));
  if (unknown !== undefined) return invalid(`Unrecognized request argument supplied: ${unknown}`);
  const { messages, response_format: format } = body as Body;
  if (!Array.isArray(messages) || messages.length === 0) return invalid("Missing required parameter: 'messages'.");
  const other = tokenLimit === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens';
  if (tokenLimit !== undefined && other in body) {
    const message = `Unsupported parameter: '${other}' is not supported with this model. Use '${tokenLimit}' instead.`;
    return invalid(message, { code: 'unsupported_parameter', param: other });
  }
  if (format === undefined) return null;
  if (formats !== undefined && !formats.some((known) => known === format.type)) {
    const message = `'response_format' of type '${format.type}' is not supported with this model.`;
    return invalid(message, { param: 'response_format' });
  }
  if (format.type === 'json_object' && !messages.some((message) => /json/i.test(message.content))) {
    return invalid(
      "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
    );
  }
  const given = format.json_schema;
  if (format.type !== 'json_schema') return null;
  if (!/^[\w-]{1,64}$/.test(given?.name ?? ''))
    return invalid("Missing required parameter: 'response_format.json_schema.name'.");
  return given?.strict === true && !isStrict(given.schema)
    ? invalid(`Invalid schema for response_format '${given.name}': it does not fit strict mode.`)
    : null;
}

function invalid(message: string, more: { readonly code?: string; readonly param?: string } = {}): Fault {
  return openAiError(400, 'invalid_request_error', message, more);
}

/** Whether a schema is strict: it requires every property and allows no others, at every level. */
function isStrict(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return true;
  const { properties, required, additionalProperties } = schema as Readonly<Record<string, unknown>>;
  if (typeof properties === 'object' && properties !== null) {
    const names = Array.isArray(required) ? required : [];
    if (additionalProperties !== false || Object.keys(properties).some((name) => !names.includes(name))) return false;
  }
  return Object.values(schema).every(isStrict);
}

function question(body: Body): Omit<Asked, 'sample'> {
  const textOf = (system: boolean): string =>
    body.messages
      .filter(({ role }) => (role === 'system') === system)
      .map(({ content }) => content)
      .join('\n');
  const schema = body.response_format?.json_schema?.schema ?? null;
  return { model: body.model, system: textOf(true), text: textOf(false), schema };
}

const finishReasons: Readonly<Record<string, string>> = { blocked: 'content_filter' };

function completion(asked: Asked, said: Said): object {
  const usage = usageOf(asked, said);
  const finish = said.finish ?? 'stop';
  const message = {
    role: 'assistant',
    content: said.text ?? null,
    ...(said.thoughts === undefined ? {} : { reasoning_content: said.thoughts }),
    ...(said.refusal === undefined ? {} : { refusal: said.refusal }),
  };
  return {
    id: 'chatcmpl-test',
    object: 'chat.completion',
    created: 0,
    model: asked.model,
    choices: said.empty === true ? [] : [{ index: 0, message, finish_reason: finishReasons[finish] ?? finish }],
    ...(usage === null
      ? {}
      : {
          usage: {
            prompt_tokens: usage.input,
            completion_tokens: usage.output,
            total_tokens: usage.input + usage.output,
            prompt_tokens_details: { cached_tokens: usage.cachedInput },
            completion_tokens_details: { reasoning_tokens: usage.reasoning },
          },
        }),
  };
}
