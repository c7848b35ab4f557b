/**
 * The parts of an AI SDK language model that are used, for specifications v2 (AI SDK 5), v3 (6) and v4 (7). A
 * structural type, so that the AI SDK is not imported.
 */
export interface AiSdkModel {
  readonly specificationVersion: 'v2' | 'v3' | 'v4';
  readonly provider: string;
  readonly modelId: string;
  doGenerate(call: AiSdkCall): PromiseLike<AiSdkResult>;
}

/** The call options that the three specifications share. */
export interface AiSdkCall {
  prompt: AiSdkMessage[];
  temperature?: number | undefined;
  maxOutputTokens?: number | undefined;
  seed?: number | undefined;
  responseFormat?: { type: 'json'; schema: object; name: string } | undefined;
  abortSignal: AbortSignal;
}

/** One message in a prompt. */
export type AiSdkMessage =
  | { role: 'system'; content: string }
  | { role: 'user' | 'assistant'; content: { type: 'text'; text: string }[] };

/** The result of a call. */
export interface AiSdkResult {
  readonly content: readonly { readonly type: string; readonly text?: string | undefined }[];
  /** v4 only: the text to parse as JSON, if it is not the whole text. */
  readonly structuredOutputText?: string | undefined;
  /** A string in v2. */
  readonly finishReason: string | { readonly unified: string };
  readonly usage: {
    /** A number in v2. */
    readonly inputTokens?:
      | number
      | { readonly total?: number | undefined; readonly cacheRead?: number | undefined }
      | undefined;
    readonly outputTokens?:
      | number
      | { readonly total?: number | undefined; readonly reasoning?: number | undefined }
      | undefined;
    /** v2 only, like the next two fields. */
    readonly totalTokens?: number | undefined;
    readonly reasoningTokens?: number | undefined;
    readonly cachedInputTokens?: number | undefined;
  };
  readonly warnings?: readonly { readonly type: string }[] | undefined;
}
