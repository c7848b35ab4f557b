import {
  type Content,
  type Invocation,
  isInvocationEvents,
  type Json,
  type Part,
  type Turn,
  toolSteps,
} from '@agent-criteria/core';
import { predefinedMetric } from '@agent-criteria/vertex-evaluation';

/** Two versions of a request about a conversation. */
export interface ConversationRequest {
  /** The request as ADK sends it, with the ids of invocations and calls. */
  readonly body: Json;
  /** The same request with ids that are equal in every run, used as the key for caches and recordings. */
  readonly request: Json;
}

/** Builds the request for a whole conversation: its agents, and every event of every turn. */
export function conversationRequest(metric: string, turns: readonly Turn[], compat: 'adk' | null): ConversationRequest {
  const happened = turns.map(({ actual }) => actual);
  const ask = (ids: Ids): Json => ({
    metrics: [predefinedMetric(metric)],
    instance: {
      // Google's Python SDK also sends this for cases that have only agent data.
      prompt: { contents: { contents: [] } },
      agentEvalData: {
        agents: agentsOf(happened),
        turns: happened.map((one, index) => turnOf(one, index, ids, compat)),
      },
    },
  });
  return { body: ask(asRecorded), request: ask(numbered()) };
}

/** How ids are written. */
interface Ids {
  turn(invocation: Invocation, index: number): string;
  call(id: string): string;
}

const asRecorded: Ids = { turn: ({ invocationId }, index) => invocationId || `turn_${index}`, call: (id) => id };

/** Creates consecutive ids; a call and its response get the same one. */
function numbered(): Ids {
  const calls = new Map<string, string>();
  return {
    turn: (_, index) => `turn_${index}`,
    call(id) {
      const known = calls.get(id) ?? `call_${calls.size}`;
      calls.set(id, known);
      return known;
    },
  };
}

/** Takes each agent's description from the first turn that has it. */
function agentsOf(happened: readonly Invocation[]): Json {
  const agents = new Map<string, Json>();
  for (const { appDetails } of happened) {
    for (const [name, details] of Object.entries(appDetails?.agentDetails ?? {})) {
      if (agents.has(name)) continue;
      const { instructions = '', toolDeclarations = [] } = details;
      agents.set(name, { agentId: details.name, instruction: instructions, tools: declared(toolDeclarations as Json) });
    }
  }
  return Object.fromEntries(agents);
}

/** Fields of arbitrary JSON, in which `null` is a value. */
const OWN_JSON: ReadonlySet<string> = new Set([
  ...['parametersJsonSchema', 'parameters_json_schema', 'responseJsonSchema', 'response_json_schema'],
]);

/**
 * Drops `null` values, as Google's SDK does: ADK's files contain every field that a tool could have, including fields
 * unknown to the service.
 */
function declared(value: Json): Json {
  if (Array.isArray(value)) return value.map(declared);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value as Readonly<Record<string, Json>>);
  return Object.fromEntries(
    fields
      .filter(([, inner]) => inner !== null)
      .map(([name, inner]) => [name, OWN_JSON.has(name) ? inner : declared(inner)]),
  );
}

type Author = readonly [author: string, content: Content | null | undefined];

function turnOf(invocation: Invocation, index: number, ids: Ids, compat: 'adk' | null): Json {
  const authored: readonly Author[] = [
    ['user', invocation.userContent],
    ...stepsOf(invocation, compat),
    ['agent', invocation.finalResponse],
  ];
  const events = authored.flatMap(([author, content], place): readonly Json[] => {
    const sent = contentOf(content, ids, compat);
    if (sent !== null) return [{ author, content: sent }];
    // ADK skips such events along the way, but not at the end.
    return compat === 'adk' && place === authored.length - 1 ? [{ author }] : [];
  });
  return { turnIndex: index, turnId: ids.turn(invocation, index), events };
}

/** Lists the events between the user's message and the answer. */
function stepsOf(invocation: Invocation, compat: 'adk' | null): readonly Author[] {
  const data = invocation.intermediateData;
  if (!data) return [];
  if (isInvocationEvents(data)) return (data.invocationEvents ?? []).map(({ author, content }) => [author, content]);
  if (compat === 'adk') return [];
  const calls = toolSteps(invocation).flatMap(({ call, response }) => {
    const made: Author = ['agent', { role: 'model', parts: [{ functionCall: call }] }];
    const answered: Author = ['agent', { role: 'user', parts: [{ functionResponse: response }] }];
    return response === null ? [made] : [made, answered];
  });
  const texts = (data.intermediateResponses ?? []).map(([author, parts]): Author => [author, { role: 'model', parts }]);
  return [...calls, ...texts];
}

/** Converts a message. Returns `null` if there is nothing to send. */
function contentOf(content: Content | null | undefined, ids: Ids, compat: 'adk' | null): Json | null {
  const parts = (content?.parts ?? []).map((part) => partOf(part, ids, compat)).filter((part) => part !== null);
  if (parts.length === 0 && (compat !== 'adk' || !content)) return null;
  return { parts, ...(content?.role ? { role: content.role } : {}) };
}

/** Keeps the fields that the service knows; it rejects others. */
function partOf(part: Part, ids: Ids, compat: 'adk' | null): Json | null {
  const { text, thought, thoughtSignature, inlineData, fileData, executableCode, codeExecutionResult } = part;
  if (thought === true && compat !== 'adk') return null;
  const sent = present({
    text: text ?? null,
    functionCall: withIds(part.functionCall, ['id', 'name', 'args'], ids),
    functionResponse: withIds(part.functionResponse, ['id', 'name', 'response'], ids),
    inlineData: picked(inlineData, ['mimeType', 'data']),
    fileData: picked(fileData, ['mimeType', 'fileUri']),
    executableCode: picked(executableCode, ['language', 'code']),
    codeExecutionResult: picked(codeExecutionResult, ['outcome', 'output']),
    ...(compat === 'adk' ? { thought: thought ?? null, thoughtSignature: thoughtSignature ?? null } : {}),
  });
  const isEmpty = Object.keys(sent).length === (text === '' && compat !== 'adk' ? 1 : 0);
  return isEmpty ? null : sent;
}

function present(fields: Readonly<Record<string, Json>>): { readonly [key: string]: Json } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

function picked(value: object | null | undefined, names: readonly string[]): Json {
  if (!value) return null;
  const fields = value as Readonly<Record<string, Json | undefined>>;
  return present(Object.fromEntries(names.map((name) => [name, fields[name] ?? null])));
}

function withIds(value: { id?: string | null } | null | undefined, names: readonly string[], ids: Ids): Json {
  const fields = picked(value, names);
  if (fields === null || !value?.id) return fields;
  return { ...(fields as { readonly [key: string]: Json }), id: ids.call(value.id) };
}
