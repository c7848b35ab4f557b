import { equalJson, isObject } from '../json.ts';
import { isInvocationEvents } from './accessors.ts';
import type { FunctionCall, Invocation, InvocationEvent, Part } from './model.ts';

/** The names that the tools of Gemini's service have in requests, by the types that its answers report. */
const NAMES: Readonly<Record<string, string>> = {
  GOOGLE_SEARCH_WEB: 'google_search',
  GOOGLE_SEARCH_IMAGE: 'google_search',
};

/**
 * Lists the calls that the service of a model made itself while the model answered, in order: calls of the service's
 * tools, code that was run (`code_execution`) and, as far as the answer lists no calls of the same tool, what its
 * grounding metadata reports: `google_search` and `retrieval` with their `queries`, and `google_maps`.
 */
export function serverSideCalls(
  answer: Pick<InvocationEvent, 'content' | 'groundingMetadata'>,
): readonly FunctionCall[] {
  return callsOf(answer, serverSideCallOf);
}

/**
 * Lists the tool calls of a turn in order, those that models asked for and those that the service of a model made itself
 * (see `serverSideCalls`).
 */
export function allToolCalls(invocation: Invocation): readonly FunctionCall[] {
  const { intermediateData: data, finalResponse } = invocation;
  const inStep = (part: Part) => part.functionCall ?? serverSideCallOf(part);
  const ofLast = (groundingMetadata?: unknown) => serverSideCalls({ content: finalResponse, groundingMetadata });
  if (!data) return ofLast();
  if (!isInvocationEvents(data)) return [...(data.toolUses ?? []), ...ofLast()];
  const steps = data.invocationEvents ?? [];
  const calls = steps.flatMap((step, index) =>
    // The last step holds the grounding of the answer, whose content the turn holds.
    index === steps.length - 1 && !step.content ? ofLast(step.groundingMetadata) : callsOf(step, inStep),
  );
  // An answer with calls is a step as well.
  const end = steps.at(-1);
  const isListed = end !== undefined && (!end.content || equalJson(end.content.parts, finalResponse?.parts));
  return isListed ? calls : [...calls, ...ofLast()];
}

function callsOf(
  { content, groundingMetadata }: Pick<InvocationEvent, 'content' | 'groundingMetadata'>,
  callOf: (part: Part) => FunctionCall | null,
): readonly FunctionCall[] {
  const listed = (content?.parts ?? []).flatMap((part) => callOf(part) ?? []);
  const reported = callsIn(groundingMetadata).filter(({ name }) => !listed.some((call) => call.name === name));
  // A service searches before the model answers.
  return [...reported, ...listed];
}

function serverSideCallOf({ toolCall, executableCode }: Part): FunctionCall | null {
  if (executableCode?.code) {
    const { code, language } = executableCode;
    return { name: 'code_execution', args: { ...(language ? { language } : {}), code } };
  }
  if (!isObject(toolCall)) return null;
  const type = toolCall.toolType ?? toolCall.tool_type;
  if (typeof type !== 'string') return null;
  const name = Object.hasOwn(NAMES, type) ? NAMES[type] : type.toLowerCase();
  return { name, args: isObject(toolCall.args) ? toolCall.args : {} };
}

function callsIn(grounding: unknown): readonly FunctionCall[] {
  if (!isObject(grounding)) return [];
  // Opaque values keep the spelling of the library that wrote them.
  const listOf = (camel: string, snake: string): readonly unknown[] => {
    const list = grounding[camel] ?? grounding[snake];
    return Array.isArray(list) ? list : [];
  };
  const queried = (name: string, queries: readonly unknown[]): readonly FunctionCall[] =>
    queries.length === 0 ? [] : [{ name, args: { queries } }];
  const chunks = listOf('groundingChunks', 'grounding_chunks');
  return [
    ...queried('google_search', [
      ...listOf('webSearchQueries', 'web_search_queries'),
      ...listOf('imageSearchQueries', 'image_search_queries'),
    ]),
    ...queried('retrieval', listOf('retrievalQueries', 'retrieval_queries')),
    ...(chunks.some((chunk) => isObject(chunk) && isObject(chunk.maps)) ? [{ name: 'google_maps', args: {} }] : []),
  ];
}
