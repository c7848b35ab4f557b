/**
 * What a language model of the AI SDK has that we use: specifications v2 (AI SDK 5), v3 (6) and v4 (7). Theirs fit, without
 * our importing them.
 */
export interface AiSdkModel {
  readonly specificationVersion: 'v2' | 'v3' | 'v4';
  readonly provider: string;
  readonly modelId: string;
  doGenerate(call: AiSdkCall): PromiseLike<AiSdkResult>;
}

/** What it is asked: the part that the three specifications have in common. */
export interface AiSdkCall {
  prompt: AiSdkMessage[];
  temperature?: number | undefined;
  maxOutputTokens?: number | undefined;
  seed?: number | undefined;
  responseFormat?: { type: 'json'; schema: object; name: string } | undefined;
  abortSignal: AbortSignal;
}

/** One message of a prompt. */
export type AiSdkMessage =
  | { role: 'system'; content: string }
  | { role: 'user' | 'assistant'; content: { type: 'text'; text: string }[] };

/** What it answers. */
export interface AiSdkResult {
  readonly content: readonly { readonly type: string; readonly text?: string | undefined }[];
  /** Of v4: the text to read for JSON, where it is not all of the text. */
  readonly structuredOutputText?: string | undefined;
  /** v2: a word. */
  readonly finishReason: string | { readonly unified: string };
  readonly usage: {
    /** v2: a number. */
    readonly inputTokens?:
      | number
      | { readonly total?: number | undefined; readonly cacheRead?: number | undefined }
      | undefined;
    readonly outputTokens?:
      | number
      | { readonly total?: number | undefined; readonly reasoning?: number | undefined }
      | undefined;
    /** Of v2, as the following. */
    readonly totalTokens?: number | undefined;
    readonly reasoningTokens?: number | undefined;
    readonly cachedInputTokens?: number | undefined;
  };
  readonly warnings?: readonly { readonly type: string }[] | undefined;
}
