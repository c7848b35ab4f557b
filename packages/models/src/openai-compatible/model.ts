import { CriteriaError, type LanguageModel, type State } from '@agent-criteria/core';
import { answerOf } from './completion.ts';
import { type Connected, completionsUrl, connected, type Environment } from './connection.ts';
import { type HttpError, isHttpError, postJson } from './post-json.ts';
import { requestBody, type Spelling } from './request-body.ts';

/** How a server is told which form an answer must have. `none`: in words only. */
export type JsonMode = 'json_schema' | 'json_object' | 'none';

export interface OpenAiCompatibleOptions {
  /** Where the server is, with its `/v1`, as `http://127.0.0.1:11434/v1`. */
  readonly baseUrl: string;
  /** As the server names it. */
  readonly model: string;
  /** The name that opinions are recorded under. Default `model`. */
  readonly id?: string;
  /** Sent as a bearer token. Default: none. */
  readonly apiKey?: string;
  /** Sent with every call, as `{ 'api-key': … }` for Azure. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What is tried first. A server that refuses it is asked for less, and that is remembered. Default `json_schema`. */
  readonly jsonMode?: JsonMode;
  /** Goes into every request, as `judge_model_config` does; the settings of a request win over it. */
  readonly settings?: State;
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
 * A model behind OpenAI's chat completions, which most servers speak: Ollama, vLLM, LM Studio, llama.cpp, proxies. It uses
 * `fetch`, keeps connections, and never repeats a call, but for one that was refused because of the form of the answer or
 * the name of a limit. HTTP errors are thrown with `status`, `headers` and `body`; what `fetch` throws is thrown as it is.
 */
export function openAiCompatible(options: OpenAiCompatibleOptions): LanguageModel {
  const { baseUrl, apiKey, headers, model, id = model, settings = {}, jsonMode } = options;
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
    ...(jsonMode === undefined ? {} : { jsonMode }),
  });
}

export function chatModel(behaviour: Behaviour): LanguageModel {
  const { id, model, settings, connect, jsonMode = 'json_schema', tokenLimit = 'max_tokens' } = behaviour;
  let known: Spelling = { format: jsonMode === 'json_schema' ? 'strict' : jsonMode, tokenLimit };

  return {
    id,
    access: (environment) => connect(environment).access,
    async generate(request, signal) {
      signal.throwIfAborted();
      const { access, baseUrl, apiKey, headers } = connect(process.env);
      if (access.problems.length > 0) throw new CriteriaError(access.problems);
      const asked = { ...request, settings: { ...settings, ...request.settings } };
      for (let spelling = known; ; ) {
        const body = requestBody(model, asked, spelling);
        try {
          const completion = await postJson(completionsUrl(baseUrl), body, { apiKey, headers, signal });
          const answer = answerOf(completion);
          known = spelling;
          return answer;
        } catch (error) {
          const next = isHttpError(error) ? spelledOtherwise(error, spelling, asked.schema !== undefined) : undefined;
          if (next === undefined) throw error;
          spelling = next;
        }
      }
    },
  };
}

const LESS = { strict: 'json_schema', json_schema: 'json_object', json_object: 'none', none: undefined } as const;

/** What to try instead, when it was the spelling that the server refused. */
function spelledOtherwise({ status, message }: HttpError, spelling: Spelling, formed: boolean): Spelling | undefined {
  if (status !== 400 && status !== 422) return undefined;
  const { format, tokenLimit } = spelling;
  const other = tokenLimit === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens';
  // "'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
  if (message.includes(`'${other}'`) && message.includes(`'${tokenLimit}'`)) return { format, tokenLimit: other };
  const less = LESS[format];
  const refused = /response_format|json_schema|json_object|structured|grammar|guided|\bschema\b/i.test(message);
  return formed && refused && less !== undefined ? { format: less, tokenLimit } : undefined;
}
