import {
  allToolSteps,
  type FunctionCall,
  type Invocation,
  type Json,
  type Span,
  type State,
  type Turn,
  toolCalls,
} from '@agent-criteria/core';

/** The calls of a turn that count besides those that the agent's own models asked for. */
export interface CountedCalls {
  readonly includeNestedCalls?: boolean | undefined;
  readonly includeServerSideCalls?: boolean | undefined;
  readonly ignoreArgs: boolean;
}

/**
 * Lists the calls of a turn that are compared with the expected ones, or says why they are unknown. Calls by an agent
 * that a tool runs are only in the trace; each follows the call of that tool.
 */
export function actualCalls(
  turn: Turn,
  trace: readonly Span[] | undefined,
  { includeNestedCalls = false, includeServerSideCalls = false, ignoreArgs }: CountedCalls,
): readonly FunctionCall[] | { readonly unknown: string } {
  const calls = callsIn(turn.actual, includeServerSideCalls);
  if (!includeNestedCalls) return calls;
  // Only a call can run an agent.
  if (trace === undefined && toolCalls(turn.actual).length === 0) return calls;
  if (trace === undefined) return { unknown: 'the agent reports no trace, which is where nested calls are recorded' };
  const spans = new Map(trace.filter((span) => span.turn === turn.index).map((span) => [span.id, span]));
  const inside = new Map<Span, Span[]>();
  const outer: Span[] = [];
  for (const span of spans.values()) {
    if (span.kind !== 'tool') continue;
    const around = outermostTool(span, spans);
    if (around === span) outer.push(span);
    else inside.set(around, [...(inside.get(around) ?? []), span]);
  }
  const shortened = [...inside.values()].flat().find(({ request = {} }) => !isArgs(request));
  if (shortened !== undefined && !ignoreArgs) {
    return { unknown: `the trace does not hold the arguments of the nested call of ${shortened.name}` };
  }
  const merged = calls.flatMap((call) => {
    const index = outer.findIndex(({ name }) => name === call.name);
    const [ran] = index === -1 ? [] : outer.splice(index, 1);
    return [call, ...(ran === undefined ? [] : (inside.get(ran) ?? []).map(callOf))];
  });
  // Tools that are nodes of a workflow run without a call of a model.
  return [...merged, ...outer.flatMap((ran) => (inside.get(ran) ?? []).map(callOf))];
}

/** Lists the calls of a turn that models asked for, and those that the service of a model made itself if they count. */
export function callsIn(invocation: Invocation, includeServerSideCalls = false): readonly FunctionCall[] {
  return includeServerSideCalls ? allToolSteps(invocation).map(({ call }) => call) : toolCalls(invocation);
}

function callOf({ name, request }: Span): FunctionCall {
  return { name, args: isArgs(request) ? request : {} };
}

/** Whether a trace holds the arguments, which it replaces by a text if they are too long. */
function isArgs(request: Json | undefined): request is State {
  return typeof request === 'object' && request !== null && !Array.isArray(request);
}

/** Returns the tool call around all others that led to a span, which may be the span itself. */
function outermostTool(span: Span, spans: ReadonlyMap<string, Span>): Span {
  let found = span;
  const seen = new Set<Span>();
  for (let at: Span | undefined = span; at !== undefined && !seen.has(at); at = spans.get(at.parentId ?? '')) {
    seen.add(at);
    if (at.kind === 'tool') found = at;
  }
  return found;
}
