import type { Caller } from '@agent-criteria/core/host';
import type { LanguageModel, ModelAnswer, ModelRequest } from '@agent-criteria/core';

export function ask(text: string, sample = 0): ModelRequest {
  return { messages: [{ role: 'user', parts: [{ text }] }], sample };
}

export function answer(text = 'yes', more: Partial<ModelAnswer> = {}): ModelAnswer {
  return { text, finish: 'stop', usage: { inputTokens: 10, outputTokens: 5 }, from: 'live', ...more };
}

/** Creates a model from a function. */
export function modelOf(generate: LanguageModel['generate'], id = 'test-model'): LanguageModel {
  return { id, generate };
}

/** Creates an error like those thrown by a provider's client. */
export function httpError(status: number, more: Record<string, unknown> = {}): Error {
  return Object.assign(new Error(`HTTP ${status}`), { status, ...more });
}

export function caller(more: Partial<Omit<Caller, 'key'>> & { caseId?: string; repeat?: number } = {}): Caller {
  const { caseId = 'where', repeat = 0, ...rest } = more;
  return { role: 'criterion', key: { setId: 'parcels', caseId, repeat }, name: 'judged', turn: 0, ...rest };
}

/** Returns a signal that never aborts. */
export function signal(): AbortSignal {
  return new AbortController().signal;
}
