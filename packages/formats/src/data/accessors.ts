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

// Two forms of intermediate data, one way to read them. Rules: ADK's get_all_tool_calls and its siblings.

/** True for the recorded form, which lists events. `{}` is the hand-written form, as in ADK. */
export function isInvocationEvents(data: IntermediateData | InvocationEvents): data is InvocationEvents {
  return 'invocationEvents' in data;
}

/** The tool calls of a turn, in the order in which they were made. */
export function toolCalls(invocation: Invocation): readonly FunctionCall[] {
  const data = invocation.intermediateData;
  if (!data) return [];
  if (!isInvocationEvents(data)) return data.toolUses ?? [];
  return parts(data).flatMap((part) => (part.functionCall ? [part.functionCall] : []));
}

/** What the tools of a turn answered, in order. */
export function toolResponses(invocation: Invocation): readonly FunctionResponse[] {
  const data = invocation.intermediateData;
  if (!data) return [];
  if (!isInvocationEvents(data)) return data.toolResponses ?? [];
  return parts(data).flatMap((part) => (part.functionResponse ? [part.functionResponse] : []));
}

/** A call beside its answer, `null` where none was recorded. */
export interface ToolStep {
  readonly call: FunctionCall;
  readonly response: FunctionResponse | null;
}

/**
 * Calls paired with their responses: by id where both have one, and what is left in order, among calls and responses
 * of the same name. (ADK pairs every call without an id with the last response: list B of the parity page.)
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

/** Whether a part says or does anything. Empty words and thoughts do not: they are all that some failures of models leave. */
export function hasContent({ text, thought, thoughtSignature, ...others }: Part): boolean {
  if (thought === true) return false;
  return Boolean(text) || Object.values(others).some((value) => value !== undefined && value !== null);
}

/** Texts that agents wrote on the way to the final answer, with their authors. Thoughts are left out. */
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
 * The text of a message: the non-empty texts of its parts, joined by a newline; `""` when it has none.
 * Thought parts are left out unless `thoughts` is true, as ADK does it.
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

function parts(data: InvocationEvents): readonly Part[] {
  return (data.invocationEvents ?? []).flatMap((event) => event.content?.parts ?? []);
}

function hasId<T extends { id?: string | null }>(value: T): value is T & { id: string } {
  return typeof value.id === 'string' && value.id !== '';
}
