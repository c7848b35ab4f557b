import type { Content, JsonSchema, Problem, State } from '@agent-criteria/formats';

/** Where an answer came from. */
export type AnswerSource = 'live' | 'cache' | 'recording';

/** A model that answers one request. Retry, limits, cache and recording are wrappers around it, not part of it. */
export interface LanguageModel {
  /** Provider and model, as recorded with each opinion. */
  readonly id: string;
  /** What it adds to every request, as far as that decides answers: a part of the key of caches and recordings. Default: nothing. */
  readonly settings?: State | undefined;
  generate(request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer>;
  /**
   * Looks at the `settings` of requests before there are any.
   * @throws CriteriaError INVALID_OPTION for a setting that the model does not have.
   */
  checkSettings?(settings: State): void;
  /** Whether it can be reached, as far as that shows without a call; `environment` as `process.env`. */
  access?(environment: Readonly<Record<string, string | undefined>>): ModelAccess;
}

/** Where a model or a paid service is, and with which credentials it is used. For people; holds no secret. */
export interface ModelAccess {
  /** As "Gemini API", or "OpenAI-compatible server at http://127.0.0.1:11434/v1". */
  readonly service: string;
  /** Where the key comes from, as "GEMINI_API_KEY", or "application default credentials"; `null`: there is none. */
  readonly credentials: string | null;
  /** What is missing, as MISSING_ENVIRONMENT: found before anything runs. */
  readonly problems: readonly Problem[];
}

export interface ModelRequest {
  readonly system?: string | undefined;
  readonly messages: readonly Content[];
  /** The answer must be JSON of this schema. */
  readonly schema?: JsonSchema | undefined;
  /** From 0: which of several samples of the same request this is. Part of the cache key. */
  readonly sample: number;
  readonly temperature?: number | undefined;
  readonly seed?: number | undefined;
  readonly maxOutputTokens?: number | undefined;
  /** Passed to the provider as it is. */
  readonly settings?: State | undefined;
}

export interface ModelAnswer {
  readonly text: string;
  /** `length`: cut off. `blocked`: refused by a safety filter. Neither is an opinion. */
  readonly finish: 'stop' | 'length' | 'blocked' | 'other';
  /** What the call took: token counts under the names of `TokenCounts`, and whatever else the provider reports. */
  readonly usage: State;
  readonly from: AnswerSource;
  /** How many requests were sent for it now, those that failed included. Absent: one, or the model does not tell. */
  readonly requests?: number | undefined;
}
