import type { Content, JsonSchema, Problem, State } from '@agent-criteria/formats';

/** Where an answer came from. */
export type AnswerSource = 'live' | 'cache' | 'recording';

/** A language model that answers single requests. Retries, limits, cache and recordings are layered around it. */
export interface LanguageModel {
  /** Provider and model, as recorded with each opinion. */
  readonly id: string;
  /**
   * Settings that it adds to every request and that affect answers; part of the cache and recording key. Default: none.
   */
  readonly settings?: State | undefined;
  generate(request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer>;
  /**
   * Checks the `settings` of requests before the first request.
   * @throws CriteriaError INVALID_OPTION for a setting that the model does not have.
   */
  checkSettings?(settings: State): void;
  /**
   * Describes how the model is reached, with any problems that can be found without a call. `environment` is like
   * `process.env`.
   */
  access?(environment: Readonly<Record<string, string | undefined>>): ModelAccess;
}

/** The address of a model or a paid service, and its credentials, in readable form. Contains no secrets. */
export interface ModelAccess {
  /** For example "Gemini API", or "OpenAI-compatible server at http://127.0.0.1:11434/v1". */
  readonly service: string;
  /**
   * The source of the key, such as "GEMINI_API_KEY" or "application default credentials", or `null` if none is used.
   */
  readonly credentials: string | null;
  /** Missing requirements, such as MISSING_ENVIRONMENT, reported before the run. */
  readonly problems: readonly Problem[];
}

export interface ModelRequest {
  readonly system?: string | undefined;
  readonly messages: readonly Content[];
  /** If set, the answer must be JSON that matches this schema. */
  readonly schema?: JsonSchema | undefined;
  /** The index of this sample among several for the same request, from 0. Part of the cache key. */
  readonly sample: number;
  readonly temperature?: number | undefined;
  readonly seed?: number | undefined;
  readonly maxOutputTokens?: number | undefined;
  /** Passed to the provider unchanged. */
  readonly settings?: State | undefined;
}

export interface ModelAnswer {
  readonly text: string;
  /** `length` means truncated, and `blocked` means blocked by a safety filter. Neither counts as an opinion. */
  readonly finish: 'stop' | 'length' | 'blocked' | 'other';
  /** Usage of the call: token counts named as in `TokenCounts`, and any other values that the provider reports. */
  readonly usage: State;
  readonly from: AnswerSource;
  /** The number of requests sent for this answer, including failed ones. Absent if it is one or unknown. */
  readonly requests?: number | undefined;
}
