import { toJson } from '@agent-criteria/calls/json';
import {
  CriteriaError,
  type FunctionCall,
  type FunctionResponse,
  type Part,
  pythonTransfer,
  type State,
} from '@agent-criteria/core';
import { isObject } from '@agent-criteria/formats';

/** A result of JSON-RPC, in one form for both versions. */
export type Payload =
  | { readonly kind: 'task'; readonly task: Task }
  | { readonly kind: 'message'; readonly message: Message }
  | ({ readonly kind: 'status'; readonly status: TaskStatus; readonly metadata: Metadata } & TaskIds)
  | ({
      readonly kind: 'artifact';
      readonly artifact: Artifact;
      /** Whether the parts continue the artifact with the same id. */
      readonly append: boolean;
      /** Whether the artifact is complete. */
      readonly isLast: boolean;
      readonly metadata: Metadata;
    } & TaskIds);

export interface TaskIds {
  readonly taskId: string;
  readonly contextId: string;
}

export interface Task extends TaskIds {
  readonly status: TaskStatus;
  readonly artifacts: readonly Artifact[];
  readonly history: readonly Message[];
}

export interface TaskStatus {
  readonly state: TaskState;
  readonly message: Message | null;
}

export type TaskState = (typeof STATES)[number];

export interface Message {
  readonly id: string;
  readonly isOfUser: boolean;
  readonly contextId: string;
  readonly taskId: string;
  readonly parts: readonly PayloadPart[];
  readonly metadata: Metadata;
}

export interface Artifact {
  readonly id: string;
  readonly parts: readonly PayloadPart[];
  readonly metadata: Metadata;
}

export interface PayloadPart {
  readonly part: Part;
  /** Whether it is marked as a call or a response by a server of ADK. */
  readonly isOfAdk: boolean;
  /** Whether it is a call whose response a client is to send. */
  readonly isLongRunning: boolean;
}

export type Metadata = Readonly<Record<string, unknown>>;

const STATES = [
  'submitted',
  'working',
  'completed',
  'failed',
  'canceled',
  'input-required',
  'rejected',
  'auth-required',
  'unknown',
] as const;

/** States from which a task does not go on. */
export const TERMINAL: ReadonlySet<TaskState> = new Set(['completed', 'failed', 'canceled', 'rejected']);
/** States in which the server works on a task. */
export const UNSETTLED: ReadonlySet<TaskState> = new Set(['submitted', 'working', 'unknown']);

/**
 * Parses the result of a request: a task, a message or an event of a task. Version 0.3 marks each with `kind`; version 1
 * puts it under its name, except for a task that was asked for.
 *
 * @throws CriteriaError INVALID_DATA with the problem and its place for anything else.
 */
export function parsePayload(value: unknown): Payload {
  const result = object(value, 'result');
  if (isObject(result.task)) return { kind: 'task', task: taskOf(result.task, 'result.task') };
  if (isObject(result.message)) return { kind: 'message', message: messageOf(result.message, 'result.message') };
  if (isObject(result.statusUpdate)) return statusOf(result.statusUpdate, 'result.statusUpdate');
  if (isObject(result.artifactUpdate)) return artifactUpdateOf(result.artifactUpdate, 'result.artifactUpdate');
  if (result.kind === 'message') return { kind: 'message', message: messageOf(result, 'result') };
  if (result.kind === 'status-update') return statusOf(result, 'result');
  if (result.kind === 'artifact-update') return artifactUpdateOf(result, 'result');
  if (isObject(result.status)) return { kind: 'task', task: taskOf(result, 'result') };
  throw invalid('result is neither a task, a message nor an event of a task');
}

function taskOf(task: Metadata, at: string): Task {
  return {
    taskId: text(task.id, `${at}.id`),
    contextId: optionalText(task.contextId),
    status: taskStatus(task.status, `${at}.status`),
    artifacts: list(task.artifacts, `${at}.artifacts`).map((one, index) =>
      artifactOf(one, `${at}.artifacts[${index}]`),
    ),
    history: list(task.history, `${at}.history`).map((one, index) =>
      messageOf(object(one, `${at}.history[${index}]`), `${at}.history[${index}]`),
    ),
  };
}

function statusOf(event: Metadata, at: string): Payload {
  return {
    kind: 'status',
    taskId: text(event.taskId, `${at}.taskId`),
    contextId: optionalText(event.contextId),
    status: taskStatus(event.status, `${at}.status`),
    metadata: metadataOf(event.metadata),
  };
}

function artifactUpdateOf(event: Metadata, at: string): Payload {
  return {
    kind: 'artifact',
    taskId: text(event.taskId, `${at}.taskId`),
    contextId: optionalText(event.contextId),
    artifact: artifactOf(event.artifact, `${at}.artifact`),
    append: event.append === true,
    isLast: event.lastChunk === true,
    metadata: metadataOf(event.metadata),
  };
}

function taskStatus(value: unknown, at: string): TaskStatus {
  const { state, message } = object(value, at);
  const name = text(state, `${at}.state`)
    .replace(/^TASK_STATE_/, '')
    .replaceAll('_', '-')
    .toLowerCase();
  const known = STATES.find((one) => one === name) ?? (name === 'unspecified' ? 'unknown' : undefined);
  if (known === undefined) throw invalid(`${at}.state is not a state of a task: ${JSON.stringify(name.slice(0, 80))}`);
  const isThere = message !== undefined && message !== null;
  return { state: known, message: isThere ? messageOf(object(message, `${at}.message`), `${at}.message`) : null };
}

function messageOf(message: Metadata, at: string): Message {
  return {
    id: optionalText(message.messageId),
    isOfUser: message.role === 'user' || message.role === 'ROLE_USER',
    contextId: optionalText(message.contextId),
    taskId: optionalText(message.taskId),
    parts: partsOf(message.parts, `${at}.parts`),
    metadata: metadataOf(message.metadata),
  };
}

function artifactOf(value: unknown, at: string): Artifact {
  const artifact = object(value, at);
  return {
    id: text(artifact.artifactId, `${at}.artifactId`),
    parts: partsOf(artifact.parts, `${at}.parts`),
    metadata: metadataOf(artifact.metadata),
  };
}

function partsOf(value: unknown, at: string): readonly PayloadPart[] {
  return list(value, at).map((part, index) => partOf(object(part, `${at}[${index}]`), `${at}[${index}]`));
}

/** Version 0.3 has a file in `file`, version 1 its content in `raw` or `url`. */
function partOf(part: Metadata, at: string): PayloadPart {
  const metadata = metadataOf(part.metadata);
  const plain = (made: Part): PayloadPart => ({ part: made, isOfAdk: false, isLongRunning: false });
  if (typeof part.text === 'string') {
    return plain(metadata.adk_thought === true ? { text: part.text, thought: true } : { text: part.text });
  }
  if (part.file !== undefined || part.raw !== undefined || part.url !== undefined) return plain(filePart(part, at));
  if (part.data === undefined) throw invalid(`${at} has neither text, a file nor data`);
  const marked = adkPart(metadata.adk_type, part.data, at);
  if (marked === null) return plain({ text: JSON.stringify(toJson(part.data)) });
  return { part: marked, isOfAdk: true, isLongRunning: metadata.adk_is_long_running === true };
}

function filePart(part: Metadata, at: string): Part {
  const file = part.file === undefined ? null : object(part.file, `${at}.file`);
  const { bytes, uri, mimeType, name } = file ?? {
    bytes: part.raw,
    uri: part.url,
    mimeType: part.mediaType,
    name: part.filename,
  };
  const more = {
    ...(typeof mimeType === 'string' && mimeType !== '' ? { mimeType } : {}),
    ...(typeof name === 'string' && name !== '' ? { displayName: name } : {}),
  };
  if (typeof bytes === 'string') return { inlineData: { data: bytes, ...more } };
  if (typeof uri === 'string') return { fileData: { fileUri: uri, ...more } };
  throw invalid(`${at} is a file without content or address`);
}

/** Converts a data part that a server of ADK marks as something of a turn. Returns `null` for any other data. */
function adkPart(type: unknown, value: unknown, at: string): Part | null {
  if (type === 'function_call') {
    const { id, name, args } = copied(value, at);
    const call: FunctionCall = {
      ...(typeof id === 'string' ? { id } : {}),
      name: text(name, `${at}.data.name`),
      args: isObject(args) ? (args as State) : {},
    };
    return { functionCall: pythonTransfer(call) };
  }
  if (type === 'function_response') {
    const { id, name, response } = copied(value, at);
    const answer: FunctionResponse = {
      ...(typeof id === 'string' ? { id } : {}),
      name: text(name, `${at}.data.name`),
      response: isObject(response) ? (response as State) : { result: (response ?? null) as State[string] },
    };
    return { functionResponse: answer };
  }
  if (type === 'executable_code') return { executableCode: copied(value, at) as State };
  if (type === 'code_execution_result') return { codeExecutionResult: copied(value, at) as State };
  return null;
}

/** Copies data from a server without keys that are dangerous. */
function copied(value: unknown, at: string): Metadata {
  return object(toJson(object(value, `${at}.data`)), `${at}.data`);
}

function metadataOf(value: unknown): Metadata {
  return isObject(value) ? value : {};
}

function object(value: unknown, at: string): Metadata {
  if (isObject(value)) return value;
  throw invalid(`${at} must be an object`);
}

function list(value: unknown, at: string): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  throw invalid(`${at} must be a list`);
}

function text(value: unknown, at: string): string {
  if (typeof value === 'string' && value !== '') return value;
  throw invalid(`${at} must be a text`);
}

function optionalText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Creates the error for what does not follow the protocol. */
export function invalid(message: string): CriteriaError {
  return new CriteriaError({ code: 'INVALID_DATA', message });
}
