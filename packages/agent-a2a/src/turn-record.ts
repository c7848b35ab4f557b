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

/** Something that the agent said or did in a turn: an artifact, or a message about its progress. */
export interface TurnOutput {
  readonly source: 'artifact' | 'message';
  readonly parts: readonly PayloadPart[];
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

/** What is known of a task before a turn that continues it. */
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
  const reported = new Set<string>();
  let task: TurnState['task'] = null;
  let contextId = options.contextId ?? '';
  let message: Message | null = null;
  let hasAny = false;
  let unnamed = 0;

  const report = (output: TurnOutput, parts: readonly PayloadPart[], partial: boolean): void => {
    if (parts.length === 0) return;
    const content = contentOf(parts);
    options.onEvent?.({
      author: authorOf(output, options.name),
      content: toJson(content),
      ...(partial ? { partial: true } : {}),
    });
  };
  /** Reports each output whole when it can no longer grow: with its last piece, or when another one begins. */
  const reportWhole = (except?: string): void => {
    for (const [key, output] of outputs) {
      if (key === except || reported.has(key)) continue;
      reported.add(key);
      if (!output.isPartial) report(output, output.parts, false);
    }
  };

  function addMessage(said: Message, metadata: Metadata, at: number | null): void {
    if (said.isOfUser || (said.id !== '' && known.messages.has(said.id))) return;
    const key = `message:${said.id || `#${unnamed++}`}`;
    if (outputs.has(key)) return;
    reportWhole();
    const all = { ...said.metadata, ...metadata };
    const output = outputOf('message', said.parts, all, at);
    outputs.set(key, output);
    reported.add(key);
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
    const before = outputs.get(key);
    reportWhole(key);
    const parts = append && before !== undefined ? joined(before.parts, artifact.parts) : artifact.parts;
    const all = { ...before?.metadata, ...artifact.metadata, ...metadata };
    // A whole after pieces is no longer partial.
    if (!append && metadata.adk_partial === undefined) delete all.adk_partial;
    const output = outputOf('artifact', parts, all, before?.at ?? at);
    outputs.set(key, output);
    if (at !== null && !isLast && options.reportsPieces) report(output, artifact.parts, true);
    if (isLast && !output.isPartial) reportWhole();
  }

  function takeTask({ taskId, contextId: id, status, artifacts, history }: Task): void {
    settle({ taskId, contextId: id }, status.state, status.message, {});
    const own = history.findIndex((said) => said.id === messageId);
    for (const said of history.slice(own + 1)) {
      // What is without an id cannot be told from what came before.
      if (said.id !== '' && said.id !== message?.id) addMessage(said, {}, null);
    }
    for (const artifact of artifacts) {
      const text = JSON.stringify(artifact.parts);
      if (known.artifacts.get(artifact.id) === text) continue;
      const seen = outputs.get(`artifact:${artifact.id}`);
      if (seen === undefined || JSON.stringify(seen.parts) !== text) addArtifact(artifact, {}, false, true, null);
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
      reportWhole();
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
  parts: readonly PayloadPart[],
  metadata: Metadata,
  at: number | null,
): TurnOutput {
  const isOfAdk =
    typeof metadata.adk_author === 'string' ||
    typeof metadata.adk_invocation_id === 'string' ||
    parts.some((part) => part.isOfAdk);
  return { source, parts, metadata, isOfAdk, isPartial: metadata.adk_partial === true, at };
}

/** Continues an artifact. Pieces of a text are one text. */
function joined(before: readonly PayloadPart[], more: readonly PayloadPart[]): readonly PayloadPart[] {
  const last = before.at(-1);
  const [first, ...rest] = more;
  const isText = typeof last?.part.text === 'string' && typeof first?.part.text === 'string';
  if (!isText || last.part.thought !== first.part.thought) return [...before, ...more];
  const part = { ...last.part, text: `${last.part.text}${first.part.text}` };
  return [...before.slice(0, -1), { ...last, part }, ...rest];
}

/** Returns the agent that said something, as far as a server of ADK says which. */
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
