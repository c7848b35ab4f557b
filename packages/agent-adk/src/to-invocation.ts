import { toJson } from '@agent-criteria/calls/json';
import {
  type AgentDetails,
  type Content,
  type Invocation,
  type InvocationEvent,
  type Part,
  pythonTransfer,
} from '@agent-criteria/core';
import { cutOffIn, isStepPart, urlContextCall } from '@agent-criteria/formats';
import type { AdkEvent } from './adk-shapes.ts';

/** Facts about a turn that its events do not contain. */
export interface TurnFacts {
  /** In seconds. */
  readonly duration?: number;
  /** The number of model calls in the turn. */
  readonly inferenceCallCount?: number;
  /** The agents that called a model in this turn, keyed by name. */
  readonly agentDetails?: Readonly<Record<string, AgentDetails>>;
}

/**
 * Builds the invocation for a turn's events by the same rule as ADK for Python (2.10,
 * `convert_events_to_eval_invocations`). The last final event with parts is the answer, except that one with text is
 * not replaced by a later one without. Every other event with text, a call, a response, data or grounding is a step, in
 * order, and so is one with code or its result alone, which ADK leaves out. The answer's event is kept as a step if it
 * has calls, or without its content if it has token counts or grounding. Pages that the service of the model read are a
 * call before it.
 */
export function toInvocation(userContent: Content, events: readonly AdkEvent[], facts: TurnFacts = {}): Invocation {
  const kept = wholeOf(events);
  const answer = answerOf(kept);
  const invocationId = kept.find((event) => event.invocationId)?.invocationId;
  const { duration, inferenceCallCount, agentDetails = {} } = facts;
  return {
    invocationId,
    userContent,
    finalResponse: answer?.content ? toContent(answer.content) : null,
    intermediateData: { invocationEvents: kept.flatMap((event) => toSteps(event, event === answer)) },
    duration,
    inferenceCallCount,
    ...(Object.keys(agentDetails).length === 0 ? {} : { appDetails: { agentDetails: { ...agentDetails } } }),
  };
}

/** Returns the reason why a turn's answer is incomplete, or `null` if it is complete. */
export function cutOffOf(events: readonly AdkEvent[]): string | null {
  return cutOffIn(events, answerOf(wholeOf(events)));
}

function wholeOf(events: readonly AdkEvent[]): readonly AdkEvent[] {
  return events.filter(({ partial, author }) => !partial && author !== 'user');
}

function answerOf(events: readonly AdkEvent[]): AdkEvent | undefined {
  let answer: AdkEvent | undefined;
  for (const event of events) {
    if (partsOf(event).length === 0 || !isFinal(event)) continue;
    if (answer === undefined || saysText(event) || !saysText(answer)) answer = event;
  }
  return answer;
}

/** Whether an event is its agent's final one, as in ADK's `isFinalResponse`. */
function isFinal(event: AdkEvent): boolean {
  const { actions = {}, longRunningToolIds = [] } = event;
  const asksCredentials = Object.keys(actions.requestedAuthConfigs ?? {}).length > 0;
  if (actions.skipSummarization || longRunningToolIds.length > 0 || asksCredentials) return true;
  const parts = partsOf(event);
  return !parts.some(isToolPart) && !parts.at(-1)?.codeExecutionResult;
}

function toSteps(event: AdkEvent, isAnswer: boolean): InvocationEvent[] {
  const parts = partsOf(event);
  const { author = 'agent', content, modelVersion } = event;
  const facts = {
    ...(event.groundingMetadata ? { groundingMetadata: toJson(event.groundingMetadata) } : {}),
    ...(event.usageMetadata ? { usageMetadata: toJson(event.usageMetadata) } : {}),
  };
  const step = { author, ...facts, modelVersion };
  const pages = urlContextCall(toJson(event.urlContextMetadata ?? null), parts);
  const before = pages === null ? [] : [{ author, content: pages }];
  const shown = parts.some(isAnswer ? isToolPart : isStepPart);
  if (shown && content) return [...before, { ...step, content: toContent(content) }];
  return [...before, ...(Object.keys(facts).length > 0 ? [{ ...step, content: null }] : [])];
}

function partsOf({ content }: AdkEvent): readonly Part[] {
  return content?.parts ?? [];
}

function isToolPart({ functionCall, functionResponse }: Part): boolean {
  return Boolean(functionCall || functionResponse);
}

function saysText(event: AdkEvent): boolean {
  return partsOf(event).some(({ text, thought }) => text && !thought);
}

function toContent(content: Content): Content {
  const copied = toJson(content) as Content;
  return { ...copied, parts: (copied.parts ?? []).map(spellTransfer) };
}

/** Records transfers under the argument name used by ADK for Python, so that eval sets work in both languages. */
function spellTransfer(part: Part): Part {
  return part.functionCall ? { ...part, functionCall: pythonTransfer(part.functionCall) } : part;
}
