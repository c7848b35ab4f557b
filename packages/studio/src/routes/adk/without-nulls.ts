import type { Content, EvalCase, Invocation } from '@agent-criteria/core';

/** Formats a case as ADK's server does: without null fields, except in user data (state, arguments). */
export function withoutNulls(evalCase: EvalCase): EvalCase {
  const { conversation } = evalCase;
  return fieldsOf({ ...evalCase, conversation: conversation?.map(invocationOf) ?? null });
}

function invocationOf(invocation: Invocation): Invocation {
  const { userContent, finalResponse } = invocation;
  return fieldsOf({
    ...invocation,
    userContent: contentOf(userContent),
    finalResponse: finalResponse ? contentOf(finalResponse) : finalResponse,
  });
}

function contentOf(content: Content): Content {
  const { parts } = content;
  return parts ? { ...content, parts: parts.map(fieldsOf) } : content;
}

function fieldsOf<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null && field !== undefined)) as T;
}

/** Fields that hold user data. */
const FREE = new Set(['args', 'response', 'state', 'sessionDetails', 'agentCriteria', 'stateDelta']);

/** Removes null fields as ADK's server does, at every level except in user data. */
export function withoutNullFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNullFields);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, field]) => {
      if (field === null || field === undefined) return [];
      return [[key, FREE.has(key) ? field : withoutNullFields(field)]];
    }),
  );
}
