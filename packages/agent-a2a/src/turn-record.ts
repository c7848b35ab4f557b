import { toJson } from '@agent-criteria/calls/json';
import type { Json } from '@agent-criteria/core';
import {
  type Artifact,
  invalid,
  type Message,
  type Metadata,
  type Payload,
  type PayloadPart,
  type Task,
  type TaskIds,
  type TaskState,
  UNSETTLED,
} from './payloads.ts';

/** A piece of a turn: an artifact, or a message about the agent's progress. */
export interface TurnOutput {
  readonly source: 'artifact' | 'message';
  readonly parts: PayloadPart[];
  readonly metadata: Metadata;
  /** Whether a server of ADK sent it, for which it is an event. */
  readonly isOfAdk: boolean;
  /** Whether it is only a piece, which the whole is to replace. */
  readonly isPartial: boolean;
  /** When it came, in milliseconds since the epoch, or `null` if it came only with the whole task. */
  readonly at: number | null;
}

/** The end of a turn, as the server reports it. */
export interface TurnState {
  /** `null` if the agent answered with a message and without a task. */
  readonly task: (TaskIds & { readonly state: TaskState }) | null;
  /** The conversation, or an empty text. */
  readonly contextId: string;
  /** The message of a settled task, or the whole answer if there is no task. */
  readonly message: Message | null;
  readonly outputs: readonly TurnOutput[];
}

/** The content of a task before a turn that continues it. */
export interface KnownTask {
  /** The parts of artifacts as JSON, by id. */
  readonly artifacts: Map<string, string>;
  readonly messages: Set<string>;
}

export interface TurnRecord {
  /** @throws CriteriaError INVALID_DATA if a payload belongs to another conversation or task. */
  take(payload: Payload): void;
  /** `null` as long as nothing has come. */
  state(): TurnState | null;
  /**
   * Reports what has not been reported. Called once, at the end.
   *
   * @param isAnswered Whether the last message is one to the user, and not the reason why the turn failed.
   */
  end(isAnswered: boolean): void;
}

export interface RecordOptions {
  /** The agent's name, for what names no author. */
  readonly name: string;
  /** The id of the user's message. */
  readonly messageId: string;
  readonly contextId: string | null;
  readonly known: KnownTask;
  /** Whether pieces of outputs are reported, too. */
  readonly reportsPieces: boolean;
  readonly onEvent?: ((event: Json) => void) | undefined;
}

/**
 * Collects what a server sends in a turn, in the order in which it came. A whole task, which is the answer of servers that
 * do not stream, adds what is missing, and nothing of earlier turns.
 */
export function createTurnRecord(options: RecordOptions): TurnRecord {
  const { messageId, known } = options;
  const outputs = new Map<string, TurnOutput>();
  // An artifact that may still grow is reported whole later. A server may send very many, so they are never searched.
  let growing: string | null = null;
  let task: TurnState['task'] = null;
  let contextId = options.contextId ?? '';
  let message: Message | null = null;
  let hasAny = false;
  let unnamed = 0;

  const report = (output: TurnOutput, parts: readonly PayloadPart[], partial: boolean): void => {
    if (parts.length === 0 || options.onEvent === undefined) return;
    const content = contentOf(parts);
    options.onEvent({
      author: authorOf(output, options.name),
      content: toJson(content),
      ...(partial ? { partial: true } : {}),
    });
  };
  /** Reports the artifact that grew until now: its last piece came, or something else began. */
  const reportGrown = (): void => {
    const output = growing === null ? undefined : outputs.get(growing);
    growing = null;
    if (output !== undefined && !output.isPartial) report(output, output.parts, false);
  };

  function addMessage(said: Message, metadata: Metadata, at: number | null): void {
    if (said.isOfUser || (said.id !== '' && known.messages.has(said.id))) return;
    const key = `message:${said.id || `#${unnamed++}`}`;
    if (outputs.has(key)) return;
    reportGrown();
    const output = outputOf('message', [...said.parts], { ...said.metadata, ...metadata }, at);
    outputs.set(key, output);
    if (!output.isPartial || options.reportsPieces) report(output, said.parts, output.isPartial);
    if (said.id !== '') known.messages.add(said.id);
  }

  function addArtifact(
    artifact: Artifact,
    metadata: Metadata,
    append: boolean,
    isLast: boolean,
    at: number | null,
  ): void {
    const key = `artifact:${artifact.id}`;
    if (growing !== key) reportGrown();
    const before = outputs.get(key);
    const own = { ...artifact.metadata, ...metadata };
    const output =
      append && before !== undefined
        ? grown(before, artifact.parts, own)
        : outputOf('artifact', [...artifact.parts], own, before?.at ?? at);
    outputs.set(key, output);
    growing = key;
    if (at !== null && !isLast && options.reportsPieces) report(output, artifact.parts, true);
    if (isLast) reportGrown();
  }

  function takeTask({ taskId, contextId: id, status, artifacts, history }: Task): void {
    settle({ taskId, contextId: id }, status.state, status.message, {});
    const own = history.findIndex((said) => said.id === messageId);
    for (const said of history.slice(own + 1)) {
      // A message without an id may be of an earlier turn.
      if (said.id !== '' && said.id !== message?.id) addMessage(said, {}, null);
    }
    for (const artifact of artifacts) {
      const text = JSON.stringify(artifact.parts);
      if (known.artifacts.get(artifact.id) === text) continue;
      const seen = outputs.get(`artifact:${artifact.id}`);
      // A whole task keeps the pieces that a stream sent as parts of their own.
      const parts = seen === undefined ? artifact.parts : withJoinedTexts(artifact.parts);
      if (seen !== undefined && JSON.stringify(seen.parts) === JSON.stringify(parts)) continue;
      addArtifact({ ...artifact, parts }, {}, false, true, null);
    }
  }

  function settle(ids: TaskIds, state: TaskState, said: Message | null, metadata: Metadata): void {
    check(ids);
    task = { ...ids, state };
    if (UNSETTLED.has(state)) {
      message = null;
      if (said !== null) addMessage(said, metadata, Date.now());
    } else message = said;
  }

  /** A server that begins another conversation has forgotten the earlier messages. */
  function check(ids: TaskIds): void {
    if (task !== null && ids.taskId !== '' && task.taskId !== ids.taskId) {
      throw invalid(`an event of the task "${ids.taskId}" came in the turn of the task "${task.taskId}"`);
    }
    if (ids.contextId === '') return;
    if (contextId !== '' && ids.contextId !== contextId) {
      throw invalid(
        `the answer belongs to another conversation (contextId "${ids.contextId}") than the message ("${contextId}")`,
      );
    }
    contextId = ids.contextId;
  }

  return {
    take(payload) {
      if (payload.kind === 'message') {
        check(payload.message);
        message = payload.message;
      } else if (payload.kind === 'task') takeTask(payload.task);
      else if (payload.kind === 'status') {
        settle(payload, payload.status.state, payload.status.message, payload.metadata);
      } else {
        check(payload);
        task ??= { taskId: payload.taskId, contextId: payload.contextId, state: 'working' };
        addArtifact(payload.artifact, payload.metadata, payload.append, payload.isLast, Date.now());
      }
      hasAny = true;
    },

    state() {
      if (!hasAny) return null;
      // Servers put the last message into the history, too.
      const last = message === null || message.id === '' ? null : `message:${message.id}`;
      const own = [...outputs].filter(([key]) => key !== last).map(([, output]) => output);
      return { task, contextId, message, outputs: own };
    },

    end(isAnswered) {
      reportGrown();
      if (message !== null && message.id !== '') known.messages.add(message.id);
      if (isAnswered && message !== null && message.parts.length > 0) {
        options.onEvent?.({ author: options.name, content: toJson(contentOf(message.parts)) });
      }
      for (const [key, { source, parts }] of outputs) {
        if (source === 'artifact') known.artifacts.set(key.slice('artifact:'.length), JSON.stringify(parts));
      }
    },
  };
}

function outputOf(
  source: TurnOutput['source'],
  parts: PayloadPart[],
  metadata: Metadata,
  at: number | null,
): TurnOutput {
  const isOfAdk =
    typeof metadata.adk_author === 'string' ||
    typeof metadata.adk_invocation_id === 'string' ||
    parts.some((part) => part.isOfAdk);
  return { source, parts, metadata, isOfAdk, isPartial: metadata.adk_partial === true, at };
}

/** Continues an artifact in place, because it may have very many pieces. Pieces of a text are one text. */
function grown(before: TurnOutput, more: readonly PayloadPart[], metadata: Metadata): TurnOutput {
  const { source, parts, at } = before;
  for (const [index, piece] of more.entries()) {
    if (index === 0) addPiece(parts, piece);
    else parts.push(piece);
  }
  const latest = Object.keys(metadata).length === 0 ? before.metadata : metadata;
  const { isOfAdk, isPartial } = outputOf(source, [...more], latest, at);
  return { source, parts, metadata: latest, isOfAdk: before.isOfAdk || isOfAdk, isPartial, at };
}

/** Adds a part to others. A text continues the text before it. */
function addPiece(parts: PayloadPart[], piece: PayloadPart): void {
  const last = parts.at(-1);
  const isText = typeof last?.part.text === 'string' && typeof piece.part.text === 'string';
  if (!isText || last.part.thought !== piece.part.thought) parts.push(piece);
  else parts[parts.length - 1] = { ...last, part: { ...last.part, text: `${last.part.text}${piece.part.text}` } };
}

function withJoinedTexts(parts: readonly PayloadPart[]): PayloadPart[] {
  const joined: PayloadPart[] = [];
  for (const part of parts) addPiece(joined, part);
  return joined;
}

/** Returns the author of a piece: the agent that a server of ADK names, or else the agent under test. */
export function authorOf({ metadata }: Pick<TurnOutput, 'metadata'>, name: string): string {
  const { adk_author: author } = metadata;
  return typeof author === 'string' && author !== '' ? author : name;
}

/** Puts parts into a content as ADK would: responses of tools go to the model. */
export function contentOf(parts: readonly PayloadPart[]): {
  readonly role: string;
  readonly parts: PayloadPart['part'][];
} {
  const isResponse = parts.length > 0 && parts.every(({ part }) => part.functionResponse !== undefined);
  return { role: isResponse ? 'user' : 'model', parts: parts.map(({ part }) => part) };
}
