import {
  CriteriaError,
  type ErrorInfo,
  type Invocation,
  type Span,
  type State,
  toErrorInfo,
} from '@agent-criteria/core';
import { cutOffIn, isObject } from '@agent-criteria/formats';
import { parseInvocation } from '@agent-criteria/formats/parse';
import { fieldOf } from '@agent-criteria/formats/schema';
import { isPlainJson, keepJson } from '../copy-json.ts';

// Agents are third-party code. Their results are copied here as plain JSON, without loss, so that later changes do not
// affect the record. Results are also checked here, and nowhere else.

/** A turn as stored. */
export interface RecordedTurn {
  readonly invocation: Invocation;
  readonly trace: readonly Span[];
  /** Why the answer is incomplete, or `null` if it is complete. */
  readonly cutOff: string | null;
  readonly error?: ErrorInfo;
}

/** Copies and checks a turn. @throws CriteriaError AGENT_FAILED describing the mistake if it is not a turn. */
export function recordTurn(returned: unknown): RecordedTurn {
  if (!isObject(returned) || !isObject(returned.invocation)) {
    throw failed('the session returned no turn: send must return { invocation, trace?, cutOff?, error? }');
  }
  const { invocation, trace, cutOff, error } = returned;
  return {
    invocation: recordInvocation(invocation),
    cutOff: cutOff === undefined || cutOff === null ? cutOffIn(eventsOf(invocation)) : String(cutOff),
    trace: Array.isArray(trace) ? (keepJson(trace, 'the trace') as Span[]) : [],
    ...(error === undefined || error === null ? {} : { error: recordError(error) }),
  };
}

/** Returns an invocation's events, which an agent function may have passed through unchecked. */
function eventsOf(invocation: Readonly<Record<string, unknown>>): readonly unknown[] {
  const data = fieldOf(invocation, 'intermediateData');
  const events = isObject(data) ? fieldOf(data, 'invocationEvents') : undefined;
  return Array.isArray(events) ? events : [];
}

function recordInvocation(value: unknown): Invocation {
  // Parsing makes a copy.
  const json = isPlainJson(value) ? value : keepJson(value, 'the invocation');
  try {
    return parseInvocation(json, { path: 'invocation' }).value;
  } catch (error) {
    if (!CriteriaError.is(error)) throw error;
    throw failed(`the agent returned an invalid invocation: ${error.message}`);
  }
}

/**
 * Copies a session's state. Returns `null` if the agent does not report it.
 * @throws CriteriaError if it is not a JSON object.
 */
export function recordState(value: unknown): State | null {
  if (value === null || value === undefined) return null;
  const state = keepJson(value, "the session's state");
  if (!isObject(state)) throw failed("the session's state must be an object or null");
  return state as State;
}

function recordError(error: unknown): ErrorInfo {
  if (
    isObject(error) &&
    !(error instanceof Error) &&
    typeof error.code === 'string' &&
    typeof error.message === 'string'
  ) {
    return keepJson(error, 'the error') as ErrorInfo;
  }
  return toErrorInfo(error, 'AGENT_FAILED');
}

function failed(message: string): CriteriaError {
  return new CriteriaError({ code: 'AGENT_FAILED', message });
}
