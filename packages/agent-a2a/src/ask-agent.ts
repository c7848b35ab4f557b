import { untilAborted } from '@agent-criteria/calls';
import { type Content, CriteriaError } from '@agent-criteria/core';
import { UNSETTLED } from './payloads.ts';
import { type ConversationIds, messageParams, rpcRequest } from './requests.ts';
import { rpc } from './rpc.ts';
import type { AgentServer } from './server.ts';
import type { TurnRecord } from './turn-record.ts';

/** The first pause before a task is asked for, in milliseconds. Pauses get longer, because most tasks are short. */
const FIRST_PAUSE = 100;

export interface Asked {
  readonly content: Content;
  readonly messageId: string;
  readonly ids: ConversationIds;
  readonly isStreamed: boolean;
}

export interface AskOptions {
  readonly signal: AbortSignal;
  /** The time limit for each question about a task, in milliseconds. */
  readonly timeout: number;
  /** The longest pause between two of them, in milliseconds. */
  readonly pollInterval: number;
}

/**
 * Sends a message and waits until the agent has answered, or its task waits for something. A stream that ends before that,
 * as one behind a proxy with a time limit does, is continued by asking for the task.
 *
 * @throws CriteriaError as `rpc` does, and the signal's reason.
 */
export async function askAgent(
  { card, connection }: AgentServer,
  { content, messageId, ids, isStreamed }: Asked,
  record: TurnRecord,
  { signal, timeout, pollInterval }: AskOptions,
): Promise<void> {
  const { endpoint } = card;
  const params = messageParams(endpoint, messageId, content, ids);
  const send = (method: 'send' | 'stream') =>
    rpc(connection, rpcRequest(endpoint, method, params), { timeout: undefined, signal }, record.take);
  // A server that does not stream after all has done nothing yet, so the message can be sent again.
  const refused = isStreamed ? await send('stream') : null;
  if (!isStreamed || refused !== null) {
    const unsupported = await send('send');
    if (unsupported !== null) throw unsupported;
  }
  for (let pause = FIRST_PAUSE; ; pause *= 2) {
    const state = record.state();
    if (state === null) throw nothingCame(connection.server);
    const { task } = state;
    if (task === null || !UNSETTLED.has(task.state)) return;
    await wait(Math.min(pause, pollInterval), signal);
    const body = rpcRequest(endpoint, 'get', { id: task.taskId });
    const unsupported = await rpc(connection, body, { timeout, signal }, record.take);
    if (unsupported !== null) throw unsupported;
  }
}

/** Asks the server to cancel a task. Failures are ignored, because many servers cannot, and the task is no longer needed. */
export async function cancelTask({ card, connection }: AgentServer, taskId: string, timeout: number): Promise<void> {
  const body = rpcRequest(card.endpoint, 'cancel', { id: taskId });
  await rpc(connection, body, { timeout }, () => undefined).catch(() => undefined);
}

async function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const pause = (): Promise<void> =>
    new Promise((resolve) => {
      timer = setTimeout(resolve, milliseconds);
    });
  try {
    await untilAborted(pause, signal);
  } finally {
    clearTimeout(timer);
  }
}

function nothingCame(server: string): CriteriaError {
  const { origin, pathname } = new URL(server);
  const message = "the turn ended without any event: the agent did nothing; check the server's log";
  return new CriteriaError({ code: 'AGENT_FAILED', file: `POST ${origin}${pathname}`, message });
}
