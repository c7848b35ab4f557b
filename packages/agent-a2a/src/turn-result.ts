import { shortened } from '@agent-criteria/calls/agent-server';
import { toJson } from '@agent-criteria/calls/json';
import {
  type Content,
  type ErrorInfo,
  hasContent,
  type Invocation,
  type InvocationEvent,
  type Json,
  type Span,
} from '@agent-criteria/core';
import { isObject } from '@agent-criteria/formats';
import type { PayloadPart } from './payloads.ts';
import { authorOf, contentOf, type TurnOutput, type TurnState } from './turn-record.ts';

/** The longest text of a server that a message quotes. */
const MOST_QUOTED = 1000;

/** The result of a turn. */
export interface TurnResult {
  /** The answer, or `null` if there is none. */
  readonly answer: Content | null;
  /** Texts, calls and responses in order, as ADK records them. */
  readonly events: readonly InvocationEvent[];
  readonly invocationId: string | undefined;
  /** Why the turn is no answer, or `null` if it is one. */
  readonly problem: string | null;
}

/**
 * Reads the result of a turn.
 *
 * The answer is a message without a task; the question of a task that needs input; or the artifacts of a completed task, or
 * its message if it has none. A server of ADK makes an artifact of each event: its answer is the last one with text, as in
 * ADK.
 *
 * @param isWhole Whether the turn came to its end. Otherwise it has no answer.
 */
export function readTurn(state: TurnState, name: string, isWhole: boolean): TurnResult {
  const outputs = withoutRepeats(state.outputs);
  const problem = problemOf(state, outputs);
  const said = state.message?.parts ?? [];
  const chosen = problem === null && isWhole ? answerOf(state, outputs) : null;
  const answer = chosen === null ? null : contentOf(chosen.parts);
  const isEmpty = problem === null && isWhole && (answer === null || !answer.parts.some(hasContent));
  const events = outputs
    .filter((output) => !output.isPartial && (chosen?.from.has(output) !== true || output.isOfAdk))
    .map((output) => eventOf(output, name, chosen?.from.has(output) === true));
  // A message beside artifacts. That of a task that failed or waits is its error.
  if (problem === null && said.length > 0 && chosen?.isMessage !== true)
    events.push({ author: name, content: contentOf(said) });
  return {
    answer: isEmpty ? null : answer,
    events,
    invocationId: firstText(outputs, 'adk_invocation_id'),
    problem: isEmpty ? emptyProblem(state, outputs) : problem,
  };
}

interface Chosen {
  readonly parts: readonly PayloadPart[];
  readonly from: ReadonlySet<TurnOutput>;
  readonly isMessage: boolean;
}

function answerOf({ task, message }: TurnState, outputs: readonly TurnOutput[]): Chosen | null {
  const ofMessage = (): Chosen | null =>
    message !== null && hasAny(message.parts) ? { parts: message.parts, from: new Set(), isMessage: true } : null;
  if (task === null || task.state === 'input-required') {
    const question = ofMessage();
    if (question !== null) return question;
  }
  if (outputs.some(({ isOfAdk }) => isOfAdk)) {
    const whole = outputs.filter((output) => !output.isPartial && !makesCalls(output));
    const last = whole.findLast(hasText) ?? whole.findLast(({ parts }) => hasAny(parts));
    return last === undefined ? ofMessage() : { parts: last.parts, from: new Set([last]), isMessage: false };
  }
  const artifacts = outputs.filter(({ source, parts }) => source === 'artifact' && hasAny(parts));
  if (artifacts.length === 0) return ofMessage();
  return { parts: artifacts.flatMap(({ parts }) => parts), from: new Set(artifacts), isMessage: false };
}

/** A server of ADK for Python sends the last event once more, as an artifact. */
function withoutRepeats(outputs: readonly TurnOutput[]): readonly TurnOutput[] {
  const events = new Set(outputs.filter(({ isOfAdk, source }) => isOfAdk && source === 'message').map(textOfParts));
  return outputs.filter((output) => output.source === 'message' || output.isPartial || !isRepeat(output));

  function isRepeat(output: TurnOutput): boolean {
    return typeof output.metadata.adk_author !== 'string' && events.has(textOfParts(output));
  }
}

function textOfParts({ parts }: TurnOutput): string {
  return JSON.stringify(parts.map(({ part }) => part));
}

function problemOf({ task, message }: TurnState, outputs: readonly TurnOutput[]): string | null {
  if (task === null) return null;
  const said = textOf(message?.parts ?? []);
  const reason = said === '' ? '' : `: ${shortened(said, MOST_QUOTED)}`;
  switch (task.state) {
    case 'failed':
      return `the task failed${reason || ", and the server does not say why: check the server's log"}`;
    case 'canceled':
      return `the server canceled the task${reason}`;
    case 'rejected':
      return `the agent rejected the task${reason}`;
    case 'auth-required':
      return `the agent asks for authentication, but no one can give it in an evaluation${reason}`;
    case 'input-required': {
      const waiting = [...(message?.parts ?? []), ...outputs.flatMap(({ parts }) => parts)].find(
        ({ isLongRunning, part }) => isLongRunning && part.functionCall,
      );
      if (waiting === undefined) return null;
      return `the agent waits for an answer to "${waiting.part.functionCall?.name}", but no one can answer in an evaluation: evaluate it without tools that ask a person`;
    }
    default: {
      const cutOff = outputs.find(({ isPartial, parts }) => isPartial && hasAny(parts));
      return cutOff === undefined ? null : 'the answer was cut off: only parts of it arrived';
    }
  }
}

function emptyProblem({ task }: TurnState, outputs: readonly TurnOutput[]): string {
  if (task === null) return 'the agent answered with an empty message';
  if (task.state === 'input-required') return 'the agent needs input, but does not say which';
  return outputs.length === 0
    ? 'the task was completed without an answer: it has neither artifacts nor a message'
    : 'the task was completed without an answer: nothing that the agent sent is one';
}

function eventOf(output: TurnOutput, name: string, isAnswer: boolean): InvocationEvent {
  const { parts, metadata } = output;
  const { adk_usage_metadata: usage, adk_grounding_metadata: grounding } = metadata;
  return {
    author: authorOf(output, name),
    content: isAnswer && !makesCalls(output) ? null : contentOf(parts),
    ...(isObject(grounding) ? { groundingMetadata: toJson(grounding) } : {}),
    ...(isObject(usage) ? { usageMetadata: toJson(usage) } : {}),
  };
}

/** Builds the spans of calls to tools, as far as a stream showed when they began and ended. */
export function toolSpans(outputs: readonly TurnOutput[], turn: number, parentId: string, name: string): Span[] {
  const whole = outputs.filter(({ isPartial }) => !isPartial);
  const answers = new Map<string, { readonly at: number | null; readonly value: Json }>();
  for (const { parts, at } of whole) {
    for (const { part } of parts) {
      const { id, response } = part.functionResponse ?? {};
      if (id) answers.set(id, { at, value: (response ?? null) as Json });
    }
  }
  const spans: Span[] = [];
  for (const output of whole) {
    const { parts, at } = output;
    if (at === null) continue;
    for (const { part } of parts) {
      if (!part.functionCall) continue;
      const { id, name: tool, args } = part.functionCall;
      const answer = id ? answers.get(id) : undefined;
      const endedAt = answer?.at ?? undefined;
      spans.push({
        id: `${parentId}.${spans.length + 1}`,
        parentId,
        kind: 'tool',
        name: tool ?? '',
        author: authorOf(output, name),
        turn,
        startedAt: at,
        ...(endedAt === undefined ? {} : { endedAt }),
        request: (args ?? {}) as Json,
        ...(answer === undefined ? {} : { response: answer.value }),
      });
    }
  }
  return spans;
}

function makesCalls({ parts }: TurnOutput): boolean {
  return parts.some(({ part }) => part.functionCall || part.functionResponse);
}

function hasText({ parts }: TurnOutput): boolean {
  return textOf(parts) !== '';
}

function hasAny(parts: readonly PayloadPart[]): boolean {
  return parts.some(({ part }) => hasContent(part));
}

function textOf(parts: readonly PayloadPart[]): string {
  return parts.flatMap(({ part }) => (part.text && part.thought !== true ? [part.text] : [])).join('\n');
}

function firstText(outputs: readonly TurnOutput[], key: string): string | undefined {
  for (const { metadata } of outputs) {
    const value = metadata[key];
    if (typeof value === 'string') return value;
  }
  return undefined;
}

/** Builds the invocation of a turn. */
export function invocationOf(userContent: Content, { answer, events, invocationId }: TurnResult): Invocation {
  return {
    ...(invocationId === undefined ? {} : { invocationId }),
    userContent,
    finalResponse: answer,
    intermediateData: { invocationEvents: [...events] },
  };
}

/** Creates the error of a turn that is no answer. */
export function errorOf(problem: string): ErrorInfo {
  return { code: 'AGENT_FAILED', message: problem };
}
