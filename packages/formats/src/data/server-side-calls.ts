import { equalJson, isObject, type Json, type State } from '../json.ts';
import { isInvocationEvents, type ToolStep, toolSteps } from './accessors.ts';
import type { FunctionCall, FunctionResponse, Invocation, InvocationEvent, Part } from './model.ts';

/** The names that the tools of Gemini's service have in requests, by the types that its answers report. */
const NAMES: Readonly<Record<string, string>> = {
  GOOGLE_SEARCH_WEB: 'google_search',
  GOOGLE_SEARCH_IMAGE: 'google_search',
};
const CODE = 'code_execution';

/** A message of an agent, with what its model reported beside it. */
type ReportedMessage = Pick<InvocationEvent, 'content' | 'groundingMetadata'>;

/**
 * Lists the tool calls of a turn with their results, in order: those that models asked for, and those that the service
 * of a model made itself, which are `isServerSide`: calls of the service's tools, code that was run (`code_execution`,
 * whose result has an `outcome` and the `output`) and, as far as a message lists no calls of the same tool, what its
 * grounding metadata reports: `google_search` and `retrieval` with their `queries`, and `google_maps`, all without a result.
 */
export function allToolSteps(invocation: Invocation): readonly (ToolStep & { readonly isServerSide: boolean })[] {
  const asked = toolSteps(invocation).map((step) => ({ ...step, isServerSide: false }));
  const byCall = new Map(asked.map((step) => [step.call, step]));
  const reports = reportsOf(invocation);
  const results = serverSideResults(reports);
  const { intermediateData: data } = invocation;
  const listed = data && !isInvocationEvents(data) ? asked : [];
  const inStep = (part: Part) => part.functionCall ?? serverSideCallOf(part);
  const reported = reports.flatMap((report) =>
    callsOf(report, report.isServedOnly ? serverSideCallOf : inStep).map(
      ({ call, part }) => byCall.get(call) ?? { call, response: results(call, part), isServerSide: true },
    ),
  );
  return [...listed, ...reported];
}

type Report = ReportedMessage & {
  /** Whether the calls that models asked for are listed elsewhere. */
  readonly isServedOnly: boolean;
};

/** Lists the messages of a turn that may report calls, in order, each once. */
function reportsOf({ intermediateData: data, finalResponse }: Invocation): readonly Report[] {
  const last = { content: finalResponse, isServedOnly: true };
  if (!data || !isInvocationEvents(data)) return [last];
  const steps = data.invocationEvents ?? [];
  const reports = steps.map(
    ({ content, groundingMetadata }, index): Report =>
      // The last step holds the grounding of the answer, whose content the turn holds.
      index === steps.length - 1 && !content
        ? { ...last, groundingMetadata }
        : { content, groundingMetadata, isServedOnly: false },
  );
  // An answer with calls is a step as well.
  const end = steps.at(-1);
  const isListed = end !== undefined && (!end.content || equalJson(end.content.parts, finalResponse?.parts));
  return isListed ? reports : [...reports, last];
}

interface MadeCall {
  readonly call: FunctionCall;
  /** The part that holds the call, or `null` if only grounding metadata reports it. */
  readonly part: Part | null;
}

function callsOf(
  { content, groundingMetadata }: ReportedMessage,
  callOf: (part: Part) => FunctionCall | null,
): readonly MadeCall[] {
  const listed = (content?.parts ?? []).flatMap((part) => {
    const call = callOf(part);
    return call === null ? [] : [{ call, part }];
  });
  const reported = callsIn(groundingMetadata).filter(({ name }) => !listed.some(({ call }) => call.name === name));
  // A service searches before the model answers.
  return [...reported.map((call) => ({ call, part: null })), ...listed];
}

function serverSideCallOf({ toolCall, executableCode }: Part): FunctionCall | null {
  if (executableCode?.code) {
    const { code, language } = executableCode;
    return { name: CODE, args: { ...(language ? { language } : {}), code } };
  }
  if (!isObject(toolCall)) return null;
  const name = nameOfTool(toolCall);
  return name === null ? null : { name, args: isObject(toolCall.args) ? toolCall.args : {} };
}

function nameOfTool(tool: Readonly<Record<string, unknown>>): string | null {
  const type = tool.toolType ?? tool.tool_type;
  if (typeof type !== 'string') return null;
  return (Object.hasOwn(NAMES, type) ? NAMES[type] : undefined) ?? type.toLowerCase();
}

/** Returns a function that finds the result of a call by its id or, without one, the next of its tool. Each counts once. */
function serverSideResults(messages: readonly ReportedMessage[]) {
  const parts = messages.flatMap(({ content }) => content?.parts ?? []);
  const places = new Map(parts.map((part, place) => [part, place]));
  const left = new Set(parts.filter(({ codeExecutionResult, toolResponse }) => codeExecutionResult || toolResponse));
  return ({ name }: FunctionCall, asked: Part | null): FunctionResponse | null => {
    const place = asked === null ? undefined : places.get(asked);
    if (asked === null || place === undefined) return null;
    for (const part of left) {
      if ((places.get(part) ?? 0) < place || !isResultOf(part, asked)) continue;
      left.delete(part);
      return { name, response: resultIn(part) };
    }
    return null;
  };
}

function isResultOf({ codeExecutionResult, toolResponse }: Part, { executableCode, toolCall }: Part): boolean {
  const [from, to] = executableCode ? [executableCode, codeExecutionResult] : [toolCall, toolResponse];
  if (!isObject(from) || !isObject(to)) return false;
  if (from.id && to.id) return from.id === to.id;
  return Boolean(executableCode) || nameOfTool(from) === nameOfTool(to);
}

function resultIn({ codeExecutionResult, toolResponse, text }: Part): State {
  if (codeExecutionResult) {
    const { outcome, output } = codeExecutionResult;
    // Executors of ADK for TypeScript write the output as the text of the part.
    return { ...(outcome ? { outcome } : {}), output: output ?? text ?? '' };
  }
  const response = isObject(toolResponse) ? (toolResponse.response as Json | undefined) : undefined;
  if (response === undefined || response === null) return {};
  return isObject(response) ? (response as State) : { result: response };
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
