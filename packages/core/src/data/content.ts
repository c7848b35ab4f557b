/**
 * What a message is made of. Structurally assignable from `Content` of `@google/genai`; fields that evaluation never
 * reads are opaque and kept as they came.
 */
export interface Content {
  /** `"user"` or `"model"`. */
  role?: string | null;
  parts?: Part[] | null;
}

/** One piece of a message. Exactly one of its kinds is normally set. */
export interface Part {
  text?: string | null;
  /** True for the model's private reasoning; such text is no part of an answer. */
  thought?: boolean | null;
  functionCall?: FunctionCall | null;
  functionResponse?: FunctionResponse | null;
  inlineData?: { data?: string | null; mimeType?: string | null; displayName?: string | null } | null;
  fileData?: { fileUri?: string | null; mimeType?: string | null; displayName?: string | null } | null;
  executableCode?: { id?: string | null; code?: string | null; language?: string | null } | null;
  codeExecutionResult?: { id?: string | null; outcome?: string | null; output?: string | null } | null;
  /** Opaque: lets the model go on with an earlier thought. */
  thoughtSignature?: string | null;
  videoMetadata?: { fps?: number | null; startOffset?: string | null; endOffset?: string | null } | null;
  /** The user's own map, whose keys are never re-spelt. */
  partMetadata?: Record<string, unknown> | null;
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
  id?: string | null;
  name?: string | null;
  /** The arguments: the user's own map, whose keys are never re-spelt. */
  args?: Record<string, unknown> | null;
  /** Of calls that are still being streamed. */
  willContinue?: boolean | null;
  /** Opaque. */
  partialArgs?: unknown;
}

/** What a tool answered. */
export interface FunctionResponse {
  id?: string | null;
  name?: string | null;
  /** The user's own map, whose keys are never re-spelt. */
  response?: Record<string, unknown> | null;
  willContinue?: boolean | null;
  scheduling?: string | null;
  /** Opaque: media that the tool returned. */
  parts?: unknown;
}
