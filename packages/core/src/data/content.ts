/**
 * What a message is made of. Structurally assignable from `Content` of `@google/genai`; fields that evaluation never
 * reads are opaque and kept as they came.
 */
export interface Content {
  /** `"user"` or `"model"`. */
  role?: string | null | undefined;
  parts?: Part[] | null | undefined;
}

/** One piece of a message. Exactly one of its kinds is normally set. */
export interface Part {
  text?: string | null | undefined;
  /** True for the model's private reasoning; such text is no part of an answer. */
  thought?: boolean | null | undefined;
  functionCall?: FunctionCall | null | undefined;
  functionResponse?: FunctionResponse | null | undefined;
  inlineData?:
    | {
        data?: string | null | undefined;
        mimeType?: string | null | undefined;
        displayName?: string | null | undefined;
      }
    | null
    | undefined;
  fileData?:
    | {
        fileUri?: string | null | undefined;
        mimeType?: string | null | undefined;
        displayName?: string | null | undefined;
      }
    | null
    | undefined;
  executableCode?:
    | { id?: string | null | undefined; code?: string | null | undefined; language?: string | null | undefined }
    | null
    | undefined;
  codeExecutionResult?:
    | { id?: string | null | undefined; outcome?: string | null | undefined; output?: string | null | undefined }
    | null
    | undefined;
  /** Opaque: lets the model go on with an earlier thought. */
  thoughtSignature?: string | null | undefined;
  videoMetadata?:
    | {
        fps?: number | null | undefined;
        startOffset?: string | null | undefined;
        endOffset?: string | null | undefined;
      }
    | null
    | undefined;
  /** The user's own map, whose keys are never re-spelt. */
  partMetadata?: Record<string, unknown> | null | undefined;
  /** Opaque, as all that follow. */
  mediaResolution?: unknown;
  mediaProcessing?: unknown;
  toolCall?: unknown;
  toolResponse?: unknown;
  audioTranscription?: unknown;
  speechMetadata?: unknown;
}

/** A tool call that the agent made, or is expected to make. */
export interface FunctionCall {
  /** Pairs the call with its response; absent in hand-written data. Never compared. */
  id?: string | null | undefined;
  name?: string | null | undefined;
  /** The arguments: the user's own map, whose keys are never re-spelt. */
  args?: Record<string, unknown> | null | undefined;
  /** Of calls that are still being streamed. */
  willContinue?: boolean | null | undefined;
  /** Opaque. */
  partialArgs?: unknown;
}

/** What a tool answered. */
export interface FunctionResponse {
  id?: string | null | undefined;
  name?: string | null | undefined;
  /** The user's own map, whose keys are never re-spelt. */
  response?: Record<string, unknown> | null | undefined;
  willContinue?: boolean | null | undefined;
  scheduling?: string | null | undefined;
  /** Opaque: media that the tool returned. */
  parts?: unknown;
}
