import type { Content, Part } from '../data/model.ts';
import { isObject } from '../json.ts';
import type { AgentStep } from './agent-step.ts';
import { messageOf, readCall, responseOf } from './reported-call.ts';
import { usageMetadata } from './usage.ts';

/** The parts of the AI SDK's `generateText` and `streamText` results that are read, of version 5 or later. */
export interface AiSdkResult {
  /** The text of the last step; a promise if the result is a stream. */
  readonly text: string | PromiseLike<string>;
  readonly steps: readonly AiSdkStep[] | PromiseLike<readonly AiSdkStep[]>;
  /** The parts of a stream as they arrive. */
  readonly fullStream?: AsyncIterable<unknown> | undefined;
}

/** A call to the model, with the tools that it called. */
export interface AiSdkStep {
  readonly content: readonly { readonly type: string }[];
  readonly finishReason?: string | undefined;
  readonly usage?: unknown;
  readonly response?: { readonly modelId?: string | undefined } | undefined;
}

/** The steps of a turn, read from an AI SDK result. */
export interface AiSdkTurn {
  readonly steps: readonly AgentStep[];
  /** The answer, or `null` if the model stopped without one. */
  readonly answer: Content | null;
  /** Grounding metadata from the sources of the answer. */
  readonly grounding: unknown;
  /** Why the answer is incomplete, such as `length`, or `undefined` if it is complete. */
  readonly cutOff: string | undefined;
  /** Why the turn failed, such as a tool call that waits for approval, or `undefined` if it did not. */
  readonly problem: string | undefined;
}

export function isAiSdkResult(value: unknown): value is AiSdkResult {
  if (!isObject(value) || !('text' in value) || !('steps' in value)) return false;
  const { steps } = value;
  if (Array.isArray(steps)) return steps.length > 0 && steps.every(isAiSdkStep);
  return isObject(steps) && typeof (steps as { then?: unknown }).then === 'function';
}

function isAiSdkStep(value: unknown): value is AiSdkStep {
  return isObject(value) && Array.isArray(value.content);
}

/** Finish reasons of complete answers. `tool-calls` is one only where another step follows. */
const COMPLETE = new Set(['stop', 'unknown', 'other']);

/**
 * Reads the steps of a result in order. `text` and `toolCalls` of the result have only those of the last step, and its
 * messages lack failed calls, so the content of every step is read.
 */
export function readAiSdkSteps(steps: readonly AiSdkStep[]): AiSdkTurn {
  const found: AgentStep[] = [];
  const sources: unknown[] = [];
  let problem: string | undefined;
  const last = steps.at(-1);
  const answer: Part[] = [];
  for (const step of steps) {
    const isLast = step === last && !step.content.some((part) => part.type === 'tool-call' && !isByProvider(part));
    found.push({ kind: 'model', model: step.response?.modelId, usage: usageMetadata(step.usage) });
    for (const part of step.content) {
      const asAnswer = isLast ? answerPart(part) : null;
      if (asAnswer !== null) answer.push(asAnswer);
      else if (part.type === 'source') sources.push(part);
      else if (part.type === 'tool-approval-request') problem ??= approvalText(part);
      else found.push(...stepsOfPart(part));
    }
  }
  const reason = last?.finishReason;
  const isCut = reason !== undefined && !COMPLETE.has(reason) && !(reason === 'tool-calls' && answer.length > 0);
  return {
    steps: found,
    answer: answer.length === 0 ? null : { role: 'model', parts: joinTexts(answer) },
    grounding: sources.length === 0 ? undefined : groundingOf(sources),
    cutOff: isCut ? reason : undefined,
    problem,
  };
}

/** Whether a call was made by the model's own service, which also ran it. */
function isByProvider(part: object): boolean {
  return 'providerExecuted' in part && part.providerExecuted === true;
}

function answerPart(part: { readonly type: string }): Part | null {
  const value: Readonly<Record<string, unknown>> = { ...part };
  if (part.type === 'text' && typeof value.text === 'string') return { text: value.text };
  if (part.type !== 'file' || !isObject(value.file)) return null;
  const { mediaType, base64 } = value.file;
  return typeof base64 === 'string' && typeof mediaType === 'string'
    ? { inlineData: { mimeType: mediaType, data: base64 } }
    : null;
}

function stepsOfPart(part: { readonly type: string }): readonly AgentStep[] {
  const value: Readonly<Record<string, unknown>> = { ...part };
  const { type, toolCallId, toolName, input, output, error, text } = value;
  const name = typeof toolName === 'string' ? toolName : '';
  const id = typeof toolCallId === 'string' ? toolCallId : undefined;
  const responded = (response: Readonly<Record<string, unknown>>): readonly AgentStep[] => [
    { kind: 'response', response: { ...(id === undefined ? {} : { id }), name, response } },
  ];
  if (type === 'text' && typeof text === 'string') return text === '' ? [] : [{ kind: 'text', text }];
  if (type === 'reasoning' && typeof text === 'string')
    return text === '' ? [] : [{ kind: 'text', text, thought: true }];
  if (type === 'tool-result') return responded(responseOf(output));
  if (type === 'tool-error') return responded({ error: messageOf(error) });
  if (type !== 'tool-call') return [];
  // The arguments of an invalid call may be the text that could not be parsed.
  const read = readCall({ toolCallId: id, toolName: name, input: isObject(input) ? input : { input } });
  return 'problem' in read ? [] : [{ kind: 'call', ...read }];
}

function approvalText(part: { readonly type: string }): string {
  const { toolCall }: Readonly<Record<string, unknown>> = { ...part };
  const name = isObject(toolCall) && typeof toolCall.toolName === 'string' ? ` of "${toolCall.toolName}"` : '';
  return `the call${name} waits for approval, but no one can approve it in an evaluation: evaluate the agent with tools that need none`;
}

function groundingOf(sources: readonly unknown[]): unknown {
  const groundingChunks = sources.map((source) => {
    const { url, title, filename, mediaType } = source as Readonly<Record<string, unknown>>;
    return typeof url === 'string'
      ? { web: { uri: url, ...(typeof title === 'string' ? { title } : {}) } }
      : { retrievedContext: { title: title ?? filename ?? mediaType ?? null } };
  });
  return { groundingChunks };
}

/** Joins the texts of an answer, which the AI SDK splits where a source or another block came between. */
function joinTexts(parts: readonly Part[]): Part[] {
  const joined: Part[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (typeof part.text === 'string' && typeof last?.text === 'string') {
      joined[joined.length - 1] = { text: last.text + part.text };
    } else joined.push(part);
  }
  return joined.filter(({ text }) => text !== '');
}
