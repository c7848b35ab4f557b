import { type AgentReply, type AgentTurn, CriteriaError, type Json } from '@agent-criteria/core';
import type { AgentOutput, AgentStream } from '@agent-criteria/core/host';
import { isObject } from '@agent-criteria/formats';
import { type AgentStep, type AiSdkResult, isAiSdkResult } from '@agent-criteria/formats/messages';
import { type AskedTurn, readReply, readStep } from './read-reply.ts';

/** Receives a piece of an answer as ADK's partial event. */
export type OnPiece = (event: Json) => void;

/** Reads what a function agent returned: an answer, or a stream of its pieces and steps. */
export async function readOutput(
  output: AgentOutput,
  turn: AskedTurn,
  signal: AbortSignal,
  onPiece: OnPiece | undefined,
): Promise<AgentTurn> {
  if (isAiSdkResult(output)) {
    await showPieces(output, turn, signal, onPiece);
    return readReply(output, turn);
  }
  if (!isStream(output)) return readReply(output, turn);
  const steps: AgentStep[] = [];
  let text = '';
  const iterator = output[Symbol.asyncIterator]();
  let isOver = false;
  try {
    for (;;) {
      const next = await iterator.next();
      if (signal.aborted) throw signal.reason;
      if (next.done === true) {
        isOver = true;
        // A generator may return the answer, which is then complete.
        const returned: unknown = next.value;
        return await readReply(returned === undefined ? text : (returned as AgentReply), turn, steps);
      }
      const { value } = next;
      if (typeof value === 'string') {
        text += value;
        onPiece?.(piece(value, turn.name));
        continue;
      }
      // The answer is the text after the last step.
      if (text !== '') steps.push({ kind: 'text', text });
      text = '';
      steps.push(readStep(value, turn.name));
    }
  } finally {
    // Ends a generator that was left early, so that it can release what it holds.
    if (!isOver) void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}

function isStream(output: unknown): output is AgentStream {
  return typeof output === 'object' && output !== null && Symbol.asyncIterator in output;
}

/** Reads the stream of an AI SDK result, whose promises do not settle before it is read. */
async function showPieces(
  { fullStream }: AiSdkResult,
  { name }: AskedTurn,
  signal: AbortSignal,
  onPiece: OnPiece | undefined,
): Promise<void> {
  if (fullStream === undefined) return;
  for await (const part of fullStream) {
    if (signal.aborted) throw signal.reason;
    if (!isObject(part)) continue;
    if (part.type === 'error') throw errorOf(part.error, name);
    if (part.type === 'abort') throw new CriteriaError({ code: 'AGENT_FAILED', message: 'the stream was aborted' });
    const text = part.text ?? part.textDelta;
    if (part.type === 'text-delta' && typeof text === 'string') onPiece?.(piece(text, name));
  }
}

function errorOf(error: unknown, name: string): unknown {
  return error instanceof Error
    ? error
    : new CriteriaError({ code: 'AGENT_FAILED', message: `the agent function "${name}" failed: ${String(error)}` });
}

function piece(text: string, author: string): Json {
  return { author, partial: true, content: { role: 'model', parts: [{ text }] } };
}
