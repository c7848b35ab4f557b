import { CriteriaError, type LanguageModel, type ModelRequest, type State } from '@agent-criteria/core';
import { answerOf } from './completion.ts';
import { type Connected, connected, type Environment } from './connection.ts';
import { isHttpError, postJson } from './post-json.ts';
import { isStrict, readSettings, requestBody, type Spelling } from './request-body.ts';

/** How a server receives the answer's schema. With `json_object` and `none`, only in the prompt. */
export type JsonMode = 'json_schema' | 'json_object' | 'none';

export interface OpenAiCompatibleOptions {
  /** The server's URL including `/v1`, such as `http://127.0.0.1:11434/v1`. */
  readonly baseUrl: string;
  /** The name of the model on the server. */
  readonly model: string;
  /** The name under which opinions are recorded. Default `model`. */
  readonly id?: string | undefined;
  /** The bearer token. Default: none. */
  readonly apiKey?: string | undefined;
  /** Headers for every call, such as `{ 'api-key': … }` for Azure. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The first mode to try. A server that rejects it gets a simpler one from then on. Default `json_schema`. */
  readonly jsonMode?: JsonMode | undefined;
  /** Settings for every request, like `judge_model_config`. A request's own settings override them. */
  readonly settings?: State | undefined;
}

/** A model's options, with further facts about its server. */
export interface Behaviour {
  readonly id: string;
  readonly model: string;
  readonly settings: State;
  connect(environment: Environment): Connected;
  readonly jsonMode?: JsonMode;
  /** The name for the token limit to try first. Default `max_tokens`. */
  readonly tokenLimit?: Spelling['tokenLimit'];
}

/**
 * Creates a model that uses OpenAI's chat completions, the protocol of most servers: Ollama, vLLM, LM Studio,
 * llama.cpp, proxies. It reuses connections, and repeats a call only if the server rejected the form of the answer or
 * the name of a limit. HTTP errors have `status`, `headers` and `body`; errors of `node:http` keep their `code`.
 */
export function openAiCompatible(options: OpenAiCompatibleOptions): LanguageModel {
  const { baseUrl, headers, model, id = model, settings = {}, jsonMode } = options;
  // An empty key counts as no key, like an empty variable.
  const apiKey = options.apiKey || undefined;
  const words = {
    service: 'OpenAI-compatible server',
    credentials: apiKey === undefined ? null : 'the option apiKey',
    urlFrom: 'the option baseUrl',
  };
  const connection = connected({ baseUrl, apiKey, headers }, words);
  return chatModel({
    id,
    model,
    settings,
    connect: () => connection,
    jsonMode,
  });
}

export function chatModel(behaviour: Behaviour): LanguageModel {
  const { id, model, connect, jsonMode = 'json_schema', tokenLimit = 'max_tokens' } = behaviour;
  const settings = readSettings(behaviour.settings);
  let known: Spelling = { format: jsonMode === 'json_schema' ? 'strict' : jsonMode, tokenLimit };

  return {
    id,
    ...(Object.keys(behaviour.settings).length === 0 ? {} : { settings: behaviour.settings }),
    checkSettings: (written) => void readSettings(written),
    access: (environment) => connect(environment).access,
    async generate(request, signal) {
      signal.throwIfAborted();
      const { access, url, apiKey, headers } = connect(process.env);
      if (access.problems.length > 0 || url === null) throw new CriteriaError(access.problems);
      const all = [settings, readSettings(request.settings ?? {})];
      const tried = [known];
      for (let spelling = known; ; ) {
        const body = requestBody(model, request, spelling, all);
        try {
          const completion = await postJson(url, body, { apiKey, headers, signal });
          // A call that was never rejected may have started before another call changed the form.
          if (tried.length > 1) known = spelling;
          // A request that was rejected for its form was sent too.
          return { ...answerOf(completion), ...(tried.length > 1 ? { requests: tried.length } : {}) };
        } catch (error) {
          if (!isHttpError(error) || (error.status !== 400 && error.status !== 422)) throw error;
          const next = spelledOtherwise(error.body, spelling, request);
          if (next === undefined || tried.some((one) => isSame(one, next))) throw error;
          tried.push(next);
          spelling = next;
        }
      }
    },
  };
}

const LESS = { strict: 'json_schema', json_schema: 'json_object', json_object: 'none', none: undefined } as const;

/** Returns the form to try instead, if the server rejected the form of the request. */
function spelledOtherwise(
  refusal: string,
  { format, tokenLimit }: Spelling,
  { schema }: ModelRequest,
): Spelling | undefined {
  // "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
  const unknown = /unsupported|unrecognized|unknown|not supported|not permitted|instead/i.test(refusal);
  if (unknown && new RegExp(`\\b${tokenLimit}\\b`).test(refusal)) {
    return { format, tokenLimit: tokenLimit === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens' };
  }
  if (schema === undefined || !/response_format|json_|structured|grammar|guided|schema/i.test(refusal))
    return undefined;
  const less = LESS[format === 'strict' && !isStrict(schema) ? 'json_schema' : format];
  return less === undefined ? undefined : { format: less, tokenLimit };
}

function isSame(one: Spelling, other: Spelling): boolean {
  return one.format === other.format && one.tokenLimit === other.tokenLimit;
}
