import { shortened } from '@agent-criteria/calls/agent-server';
import {
  type AppDetails,
  type Content,
  type ErrorInfo,
  hasContent,
  type Invocation,
  type InvocationEvent,
  type Json,
  type Span,
} from '@agent-criteria/core';
import { cutOffIn, isStepPart, urlContextCall } from '@agent-criteria/formats';
import type { AgentEvent } from './events.ts';

const MOST_SAID = 1000;
/**
 * Matches errors that retrying the workflow node cannot undo: ADK continues after them as if nothing had happened.
 */
const LASTING = /^Function .* is not found in the toolsDict\.$|^Max number of llm calls limit of \d+ exceeded/;

/**
 * Builds the invocation for a turn by ADK's rule (`convert_events_to_eval_invocations` in adk-python 2.10). The last
 * final event with parts is the answer, and one with text is preferred to those without. Every event with content is
 * listed, also one with code or its result alone, which ADK leaves out; the answer's event is listed without its content
 * unless it makes calls. Pages that the service of the model read are a call before it. Partial events and user events
 * are left out.
 */
export function eventsToInvocation(
  userContent: Content,
  events: readonly AgentEvent[],
  appDetails: AppDetails | null = null,
): Invocation {
  const whole = ofAgents(events);
  const answer = answerOf(whole);
  const invocationId = whole.find((event) => event.invocationId !== undefined)?.invocationId;
  return {
    invocationId,
    userContent,
    finalResponse: answer?.content ?? null,
    intermediateData: { invocationEvents: whole.flatMap((event) => listed(event, event === answer)) },
    ...(appDetails === null ? {} : { appDetails }),
  };
}

/** Returns the reason why a turn's answer is incomplete, or `null` if it is complete. */
export function cutOffOf(events: readonly AgentEvent[]): string | null {
  return cutOffIn(events, answerOf(ofAgents(events)));
}

/** Selects the complete events that come from agents. */
export function ofAgents(events: readonly AgentEvent[]): readonly AgentEvent[] {
  return events.filter(({ author, partial }) => !partial && author.toLowerCase() !== 'user');
}

function answerOf(events: readonly AgentEvent[]): AgentEvent | undefined {
  let answer: AgentEvent | undefined;
  for (const event of events) {
    if (event.parts.length === 0 || !isFinal(event)) continue;
    if (answer === undefined || hasText(event) || !hasText(answer)) answer = event;
  }
  return answer;
}

function isFinal({ parts, endsTurn, longRunningToolIds }: AgentEvent): boolean {
  if (endsTurn || longRunningToolIds.length > 0) return true;
  return !parts.some((part) => part.functionCall || part.functionResponse) && !parts.at(-1)?.codeExecutionResult;
}

function hasText({ parts }: AgentEvent): boolean {
  return parts.some(({ text, thought }) => Boolean(text) && thought !== true);
}

function isListed({ parts, groundingMetadata, usageMetadata }: AgentEvent): boolean {
  return groundingMetadata !== undefined || usageMetadata !== undefined || parts.some(isStepPart);
}

function listed(event: AgentEvent, isAnswer: boolean): readonly InvocationEvent[] {
  const { author, content, parts, groundingMetadata, usageMetadata, modelVersion } = event;
  const pages = urlContextCall(event.urlContextMetadata, parts);
  const before = pages === null ? [] : [{ author, content: pages }];
  if (!isListed(event)) return before;
  const makesCalls = parts.some(({ functionCall, functionResponse }) => functionCall || functionResponse);
  return [
    ...before,
    {
      author,
      content: isAnswer && !makesCalls ? null : (content ?? null),
      groundingMetadata,
      usageMetadata,
      modelVersion,
    },
  ];
}

/**
 * Finds the problem in a turn whose events arrived: a failed model, a question to a human, or a missing answer. Returns
 * `null` if there is none.
 *
 * @param hide Masks credentials in a string from the server.
 */
export function problemIn(events: readonly AgentEvent[], hide: (text: string) => string): ErrorInfo | null {
  const whole = ofAgents(events);
  const failed = new Map<string | undefined, string>();
  for (const { author, errorCode, errorMessage = '', node, parts, hasOutput } of whole) {
    const code = errorCode === 'UNKNOWN_ERROR' && errorMessage !== '' ? '' : (errorCode ?? '');
    const what = [code, errorMessage].filter((text) => text !== '').join(': ');
    const place = LASTING.test(errorMessage) ? undefined : node;
    if (what !== '' && !failed.has(place))
      failed.set(place, `agent "${author}" failed: ${shortened(hide(what), MOST_SAID)}`);
    // A workflow may rerun a node that failed. State changes made by a callback are not a retry.
    if (what === '' && node !== undefined && (parts.length > 0 || hasOutput)) failed.delete(node);
  }
  for (const message of failed.values()) return { code: 'AGENT_FAILED', message };
  const answered = new Set(whole.flatMap(({ parts }) => parts.flatMap((part) => part.functionResponse?.id ?? [])));
  for (const { author, parts } of whole) {
    for (const { functionCall } of parts) {
      if (!functionCall) continue;
      const { id, name } = functionCall;
      if (!name?.startsWith('adk_request_') || (id && answered.has(id))) continue;
      const message = `agent "${author}" waits for an answer to "${name}", but no one can answer in an evaluation: evaluate it without tools that ask a person`;
      return { code: 'AGENT_FAILED', message };
    }
  }
  const cutOff = cutOffAgent(events);
  if (cutOff !== null) {
    const message = `the answer of agent "${cutOff}" was cut off: only parts of it arrived`;
    return { code: 'AGENT_FAILED', message };
  }
  const silent = silentAgent(whole);
  if (silent === null) return null;
  return {
    code: 'AGENT_FAILED',
    message: `agent "${silent}" ended the turn without an answer: its model returned nothing`,
  };
}

/** Returns the agent whose last text arrived only in partial events, or `null`. */
function cutOffAgent(events: readonly AgentEvent[]): string | null {
  const unfinished = new Set<string>();
  for (const { author, partial, parts } of events) {
    if (!partial) unfinished.delete(author);
    else if (author.toLowerCase() !== 'user' && parts.some(hasContent)) unfinished.add(author);
  }
  const [first = null] = unfinished;
  return first;
}

/** Returns the agent that ended the turn without content, or `null` if some agent has answered. */
function silentAgent(whole: readonly AgentEvent[]): string | null {
  const said = whole.filter(({ parts, usageMetadata }) => parts.length > 0 || usageMetadata !== undefined);
  const isAnswer = ({ parts }: AgentEvent) =>
    parts.some(hasContent) && !parts.some((part) => part.functionCall || part.functionResponse);
  const last = said.at(-1);
  return last === undefined || last.parts.some(hasContent) || said.some(isAnswer) ? null : last.author;
}

/** Builds spans for a turn's tool calls, as far as the server reports timestamps. */
export function toolSpans(events: readonly AgentEvent[], turn: number, parentId: string): Span[] {
  const whole = ofAgents(events);
  const answers = new Map<string, { readonly at: number | undefined; readonly value: Json }>();
  for (const { parts, at } of whole) {
    for (const { functionResponse: given } of parts) {
      if (given?.id) answers.set(given.id, { at, value: (given.response ?? null) as Json });
    }
  }
  const spans: Span[] = [];
  for (const { parts, at, author } of whole) {
    if (at === undefined) continue;
    for (const { functionCall } of parts) {
      if (!functionCall) continue;
      const { id, name, args } = functionCall;
      const answer = id ? answers.get(id) : undefined;
      spans.push({
        id: `${parentId}.${spans.length + 1}`,
        parentId,
        kind: 'tool',
        name: name ?? '',
        author,
        turn,
        startedAt: at,
        endedAt: answer?.at === undefined ? undefined : Math.max(at, answer.at),
        request: (args ?? {}) as Json,
        response: answer?.value,
      });
    }
  }
  return spans;
}
