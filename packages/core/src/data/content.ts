/**
 * What a message is made of. Structurally assignable from `Content` of `@google/genai`: only the fields that
 * evaluation reads are named, every other field of a part is kept as it came.
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
  executableCode?: { code?: string | null; language?: string | null } | null;
  codeExecutionResult?: { outcome?: string | null; output?: string | null } | null;
}

/** A tool call that the agent made, or is expected to make. */
export interface FunctionCall {
  /** Pairs the call with its response; absent in hand-written data. Never compared. */
  id?: string | null;
  name?: string | null;
  /** The arguments: the user's own map, whose keys are never re-spelt. */
  args?: Record<string, unknown> | null;
}

/** What a tool answered. */
export interface FunctionResponse {
  id?: string | null;
  name?: string | null;
  /** The user's own map, whose keys are never re-spelt. */
  response?: Record<string, unknown> | null;
}
