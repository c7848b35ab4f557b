import { type Duration, inTime, noAnswerWithin, toMilliseconds, withoutMetadataWarning } from '@agent-criteria/calls';
import {
  CriteriaError,
  keptSettings,
  type LanguageModel,
  type ModelProvider,
  type ModelRequest,
  type State,
} from '@agent-criteria/core';
import type { Content, GoogleGenAI, GoogleGenAIOptions } from '@google/genai';
import manifest from '../package.json' with { type: 'json' };
import { answerOf } from './answer.ts';
import { type Connection, connectionOf } from './connection.ts';
import { checkTimeout, configOf, present, readSettings } from './generate-content-config.ts';

/** Options of a Gemini model. Absent options are read from the environment on the first call. */
export interface GeminiModelOptions {
  /** The model, such as `gemini-2.5-flash`, or a resource name such as `projects/P/locations/L/publishers/google/models/gemini-2.5-flash`. */
  readonly model: string;
  /** The name under which opinions are recorded. Default `model`. */
  readonly id?: string | undefined;
  /** The API key. Default: the first of `GOOGLE_API_KEY`, `GEMINI_API_KEY` and `GOOGLE_GENAI_API_KEY` that is set. */
  readonly apiKey?: string | undefined;
  /**
   * Whether to use Vertex AI instead of the Gemini API. Default: whether `GOOGLE_GENAI_USE_ENTERPRISE` or else
   * `GOOGLE_GENAI_USE_VERTEXAI` is `true` or `1`, or a project is given.
   */
  readonly vertex?: boolean | undefined;
  /** The Google Cloud project for Vertex AI. Default `GOOGLE_CLOUD_PROJECT`; without one, a key means express mode. */
  readonly project?: string | undefined;
  /** The location for Vertex AI. Default `GOOGLE_CLOUD_LOCATION`, otherwise `global`. */
  readonly location?: string | undefined;
  /** The base URL. Default `GOOGLE_GEMINI_BASE_URL` or, for Vertex AI, `GOOGLE_VERTEX_BASE_URL`, otherwise Google's. */
  readonly baseUrl?: string | undefined;
  /** The API version. Default `v1beta`, or `v1beta1` for Vertex AI. */
  readonly apiVersion?: string | undefined;
  /** Options of google-auth-library for Vertex AI. Default: application default credentials. */
  readonly googleAuthOptions?: Readonly<Record<string, unknown>> | undefined;
  /** The service tier. `'flex'` costs half, and an answer may take minutes. Default: the service's. */
  readonly serviceTier?: string | undefined;
  /** The time limit for a call, after which it rejects with TIMEOUT. Default `"15m"`. */
  readonly timeout?: Duration | undefined;
  /** A `GenerateContentConfig` for every call, in either spelling. A request's settings override it. */
  readonly settings?: State | undefined;
}

/**
 * Creates a Gemini model. The SDK is imported on the first call. Calls are never retried. The SDK's errors are rethrown
 * unchanged; a call without a key rejects with MISSING_ENVIRONMENT, and an aborted one with the signal's reason.
 *
 * @throws CriteriaError INVALID_OPTION for settings that Gemini does not have.
 */
export function geminiModel(options: GeminiModelOptions): LanguageModel {
  const { model, id = model, serviceTier } = options;
  const limit = toMilliseconds(options.timeout ?? '15m');
  checkTimeout(limit, options.timeout);
  const settings = readSettings({ ...options.settings, ...present({ serviceTier }) });
  const deciding = keptSettings(JSON.parse(JSON.stringify(settings)) as State);
  let client: Promise<GoogleGenAI> | undefined;

  function connected(): Promise<GoogleGenAI> {
    const { connection, access } = connectionOf(options, process.env);
    if (connection === null) throw new CriteriaError(access.problems);
    return connect(connection, options);
  }

  return {
    id,
    ...(Object.keys(deciding).length === 0 ? {} : { settings: deciding }),
    checkSettings: (written) => void readSettings(written),
    access: (environment) => connectionOf(options, environment).access,
    async generate(request, signal) {
      client ??= connected();
      const { models } = await client;
      const merged = { ...settings, ...readSettings(request.settings ?? {}) };
      // `retryOptions` is omitted, because the caller decides on retries.
      const { headers, extraBody, apiVersion, timeout = limit } = merged.httpOptions ?? {};
      // The SDK leaves a listener on every signal and a timer after every call, so it gets a signal for this call
      // alone. Signing in cannot be interrupted, so an aborted call does not wait for it.
      const work = async (abortSignal: AbortSignal) => {
        const response = await models.generateContent({
          model: model.replace(/^models\//, ''),
          contents: contentsOf(request),
          config: {
            ...configOf(request, merged),
            abortSignal,
            httpOptions: {
              headers: { ...headers, 'X-Server-Timeout': String(Math.ceil(timeout / 1000)) },
              ...present({ extraBody, apiVersion }),
            },
          },
        });
        return answerOf(response);
      };
      const limits = { signal, milliseconds: timeout, tooLate: () => noAnswerWithin(timeout, id) };
      return withoutMetadataWarning(() => inTime(work, limits));
    },
  };
}

/**
 * The provider of Gemini models by name: `gemini-2.5-flash`, `models/gemini-2.5-flash`, or a full Vertex AI resource
 * name, `projects/P/locations/L/publishers/google/models/gemini-2.5-flash`. The settings of `create` are a
 * `GenerateContentConfig`, in either spelling.
 */
export const gemini: ModelProvider = {
  kind: 'model-provider',
  specVersion: 1,
  name: 'gemini',
  origin: { package: manifest.name, version: manifest.version },
  names: 'gemini-…',
  accepts: (model) =>
    /^(?:models\/|projects\/[^/]+\/locations\/[^/]+\/publishers\/google\/models\/)?gemini-/.test(model),
  create: (model, settings) => geminiModel({ model, settings }),
};

async function connect(connection: Connection, options: GeminiModelOptions): Promise<GoogleGenAI> {
  const { GoogleGenAI } = await import('@google/genai');
  const { vertex, baseUrl, ...rest } = connection;
  const { apiVersion = vertex ? 'v1beta1' : 'v1beta', googleAuthOptions } = options;
  const given: GoogleGenAIOptions = {
    ...present(rest),
    vertexai: vertex,
    apiVersion,
    ...present({
      httpOptions: baseUrl === undefined ? undefined : { baseUrl },
      // The SDK modifies its options.
      googleAuthOptions: googleAuthOptions && ({ ...googleAuthOptions } as GoogleGenAIOptions['googleAuthOptions']),
    }),
  };
  return quietly(() => new GoogleGenAI(given));
}

/**
 * Silences the SDK's constructor, which logs messages about the environment, some of them to standard output, where
 * results go.
 */
function quietly<Value>(make: () => Value): Value {
  const { debug, warn } = console;
  console.debug = () => {};
  console.warn = () => {};
  try {
    return make();
  } finally {
    console.debug = debug;
    console.warn = warn;
  }
}

function contentsOf({ messages }: ModelRequest): Content[] {
  return messages.map(({ role, parts }) => ({
    role: role ?? 'user',
    parts: (parts ?? []).map(
      (part) => Object.fromEntries(Object.entries(part).filter(([, value]) => value !== null)) as object,
    ),
  }));
}
