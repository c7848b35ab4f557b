import type { Content } from '../data/content.ts';
import type { JsonSchema, State } from '../json.ts';

/** Where an answer came from. */
export type From = 'live' | 'cache' | 'recording';

/** A model that answers one request. Retry, limits, cache and recording are wrappers around it, not part of it. */
export interface LanguageModel {
  /** Provider and model, as recorded with each opinion. */
  readonly id: string;
  generate(request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer>;
}

export interface ModelRequest {
  readonly system?: string;
  readonly messages: readonly Content[];
  /** The answer must be JSON of this schema. */
  readonly schema?: JsonSchema;
  /** From 0: which of several samples of the same request this is. Part of the cache key. */
  readonly sample: number;
  readonly temperature?: number;
  readonly seed?: number;
  readonly maxOutputTokens?: number;
  /** Passed to the provider as it is. */
  readonly settings?: State;
}

export interface ModelAnswer {
  readonly text: string;
  /** `length`: cut off. `blocked`: refused by a safety filter. Neither is an opinion. */
  readonly finish: 'stop' | 'length' | 'blocked' | 'other';
  /** Token counts as the provider reports them. */
  readonly usage: State;
  readonly from: From;
}
