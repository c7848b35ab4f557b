import type {
  Content,
  FunctionCall,
  FunctionResponse,
  IntermediateData,
  Invocation,
  InvocationEvent,
  InvocationEvents,
  Part,
} from './model.ts';

// These functions read both formats of intermediate data, by the rules of ADK's get_all_tool_calls and related
// functions.

/**
 * Tells whether intermediate data has the recorded format, which lists events. `{}` is the hand-written format, as in
 * ADK.
 */
export function isInvocationEvents(data: IntermediateData | InvocationEvents): data is InvocationEvents {
  return 'invocationEvents' in data;
}

/** Lists the tool calls of a turn in order. */
export function toolCalls(invocation: Invocation): readonly FunctionCall[] {
  const data = invocation.intermediateData;
  if (!data) return [];
  if (!isInvocationEvents(data)) return data.toolUses ?? [];
  return parts(data).flatMap((part) => (part.functionCall ? [part.functionCall] : []));
}

/** Lists the tool responses of a turn in order. */
export function toolResponses(invocation: Invocation): readonly FunctionResponse[] {
  const data = invocation.intermediateData;
  if (!data) return [];
  if (!isInvocationEvents(data)) return data.toolResponses ?? [];
  return parts(data).flatMap((part) => (part.functionResponse ? [part.functionResponse] : []));
}

/** A call and its response. */
export interface ToolStep {
  readonly call: FunctionCall;
  /** The response, or `null` if none was recorded. */
  readonly response: FunctionResponse | null;
}

/**
 * Pairs the calls of a turn with their responses: by id, or in order by name if they have no ids. (ADK pairs every call
 * without an id with the last response; see list B of the parity page.)
 */
export function toolSteps(invocation: Invocation): readonly ToolStep[] {
  const byId = new Map<string, FunctionResponse>();
  const withoutId = new Map<string, FunctionResponse[]>();
  for (const response of toolResponses(invocation)) {
    if (hasId(response)) {
      byId.set(response.id, response);
      continue;
    }
    const name = response.name ?? '';
    const queue = withoutId.get(name);
    if (queue) queue.push(response);
    else withoutId.set(name, [response]);
  }
  return toolCalls(invocation).map((call) => ({
    call,
    response:
      (hasId(call) ? byId.get(call.id) : undefined) ??
      (hasId(call) ? null : (withoutId.get(call.name ?? '')?.shift() ?? null)),
  }));
}

/** Whether a part has content other than thoughts and empty text, which is all that some model failures leave. */
export function hasContent({ text, thought, thoughtSignature, ...others }: Part): boolean {
  if (thought === true) return false;
  return Boolean(text) || Object.values(others).some((value) => value !== undefined && value !== null);
}

/** Lists the texts that agents wrote before the final answer, with their authors. Thoughts are omitted. */
export function intermediateTexts(
  invocation: Invocation,
): readonly { readonly author: string; readonly text: string }[] {
  const data = invocation.intermediateData;
  if (!data) return [];
  const authored: readonly (readonly [string, readonly Part[]])[] = isInvocationEvents(data)
    ? (data.invocationEvents ?? []).map((event: InvocationEvent) => [event.author, event.content?.parts ?? []] as const)
    : (data.intermediateResponses ?? []);
  return authored.flatMap(([author, list]) =>
    list.flatMap((part) => (part.text && part.thought !== true ? [{ author, text: part.text }] : [])),
  );
}

/**
 * Returns the text of a message: the non-empty texts of its parts, joined by newlines; `''` if there are none.
 *
 * @param options.thoughts Whether to include thoughts, as ADK does. Default `false`.
 */
export function contentText(
  content: Content | null | undefined,
  options: { thoughts?: boolean | undefined } = {},
): string {
  const texts: string[] = [];
  for (const part of content?.parts ?? []) {
    if (part.text && (options.thoughts === true || part.thought !== true)) texts.push(part.text);
  }
  return texts.join('\n');
}

/** Names the files of a message in order, by their addresses or types if they have no names. */
export function fileNames(content: Content | null | undefined): readonly string[] {
  return (content?.parts ?? []).flatMap(({ inlineData, fileData }) => {
    const file = inlineData ?? fileData;
    if (!file) return [];
    return [file.displayName || fileData?.fileUri || file.mimeType || 'a file'];
  });
}

/** Returns the text of a message or, if it has none, the names of its files: a title for lists. */
export function messageTitle(content: Content | null | undefined): string {
  return contentText(content) || fileNames(content).join(', ');
}

function parts(data: InvocationEvents): readonly Part[] {
  return (data.invocationEvents ?? []).flatMap((event) => event.content?.parts ?? []);
}

function hasId<T extends { id?: string | null }>(value: T): value is T & { id: string } {
  return typeof value.id === 'string' && value.id !== '';
}
