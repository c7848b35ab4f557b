import type { Content, JsonSchema, Problem, State } from '@agent-criteria/formats';

/** The origin of an answer. */
export type AnswerSource = 'live' | 'cache' | 'recording';

/** A language model that answers single requests. Retries, limits, cache and recordings are layers around it. */
export interface LanguageModel {
  /** Provider and model, as recorded with each opinion. */
  readonly id: string;
  /**
   * Settings that it adds to every request and that affect answers: part of the key of caches and recordings. Default:
   * none.
   */
  readonly settings?: State | undefined;
  generate(request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer>;
  /**
   * Checks the `settings` of requests before the first request.
   * @throws CriteriaError INVALID_OPTION for a setting that the model does not have.
   */
  checkSettings?(settings: State): void;
  /**
   * Tells whether the model can be reached, as far as that is known without a call. `environment` is like
   * `process.env`.
   */
  access?(environment: Readonly<Record<string, string | undefined>>): ModelAccess;
}

/** The address of a model or a paid service, and its credentials, for people to read. Contains no secret. */
export interface ModelAccess {
  /** For example "Gemini API", or "OpenAI-compatible server at http://127.0.0.1:11434/v1". */
  readonly service: string;
  /** The source of the key, such as "GEMINI_API_KEY" or "application default credentials"; `null`: none. */
  readonly credentials: string | null;
  /** Missing requirements, such as MISSING_ENVIRONMENT, reported before the run. */
  readonly problems: readonly Problem[];
}

export interface ModelRequest {
  readonly system?: string | undefined;
  readonly messages: readonly Content[];
  /** The answer must be JSON that fits this schema. */
  readonly schema?: JsonSchema | undefined;
  /** The index of the sample among several of the same request, from 0. Part of the cache key. */
  readonly sample: number;
  readonly temperature?: number | undefined;
  readonly seed?: number | undefined;
  readonly maxOutputTokens?: number | undefined;
  /** Passed to the provider unchanged. */
  readonly settings?: State | undefined;
}

export interface ModelAnswer {
  readonly text: string;
  /** `length`: truncated. `blocked`: refused by a safety filter. Neither is an opinion. */
  readonly finish: 'stop' | 'length' | 'blocked' | 'other';
  /** Usage of the call: token counts named as in `TokenCounts`, and other values that the provider reports. */
  readonly usage: State;
  readonly from: AnswerSource;
  /** How many requests were sent for this answer, including failed ones. Absent: one, or unknown. */
  readonly requests?: number | undefined;
}
