import { CriteriaError, type LanguageModel, type ModelRequest, type State } from '@agent-criteria/core';
import { answerOf } from './completion.ts';
import { type Connected, connected, type Environment } from './connection.ts';
import { isHttpError, postJson } from './post-json.ts';
import { isStrict, readSettings, requestBody, type Spelling } from './request-body.ts';

/** How a server receives the answer's schema. `none`: only in the prompt. */
export type JsonMode = 'json_schema' | 'json_object' | 'none';

export interface OpenAiCompatibleOptions {
  /** Where the server is, with its `/v1`, as `http://127.0.0.1:11434/v1`. */
  readonly baseUrl: string;
  /** As the server names it. */
  readonly model: string;
  /** The name that opinions are recorded under. Default `model`. */
  readonly id?: string | undefined;
  /** Sent as a bearer token. Default: none. */
  readonly apiKey?: string | undefined;
  /** Sent with every call, as `{ 'api-key': … }` for Azure. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** What is tried first. A server that refuses it is asked for less, and that is remembered. Default `json_schema`. */
  readonly jsonMode?: JsonMode | undefined;
  /** Goes into every request, as `judge_model_config` does; the settings of a request win over it. */
  readonly settings?: State | undefined;
}

/** A model with all that is known of its server. */
export interface Behaviour {
  readonly id: string;
  readonly model: string;
  readonly settings: State;
  connect(environment: Environment): Connected;
  readonly jsonMode?: JsonMode;
  /** The name of the limit that is tried first. Default `max_tokens`. */
  readonly tokenLimit?: Spelling['tokenLimit'];
}

/**
 * A model behind OpenAI's chat completions, which most servers speak: Ollama, vLLM, LM Studio, llama.cpp, proxies. It
 * keeps connections, and never repeats a call, but for one that was refused because of the form of the answer or the name of
 * a limit. HTTP errors are thrown with `status`, `headers` and `body`; what `node:http` throws is thrown as it is.
 */
export function openAiCompatible(options: OpenAiCompatibleOptions): LanguageModel {
  const { baseUrl, headers, model, id = model, settings = {}, jsonMode } = options;
  // As an empty variable: none.
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
          // Who was not refused may have begun before another call learnt better.
          if (tried.length > 1) known = spelling;
          // A request that was refused for its spelling was sent, too.
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

/** What to try instead, when it was the spelling that the server refused. */
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
