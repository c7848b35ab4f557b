import {
  type Answer,
  type Connection,
  exchange,
  isRefusal,
  jsonOf,
  notJson,
  type Refusal,
  type Request,
  refusalOf,
  sseEvents,
} from '@agent-criteria/calls/agent-server';
import { CriteriaError } from '@agent-criteria/core';
import type { Message } from './read-answer.ts';

/** Receives an answer. */
export interface Receiver {
  take(message: Message): void;
  /** Called when the answer is complete. */
  end(): void;
}

/**
 * Sends a request, and passes on its answer: one message for JSON, one for each event of a stream.
 *
 * @param isPlainText Whether the data of events are pieces of a text and not JSON.
 * @throws CriteriaError for a refusal, for an answer that is neither JSON nor a stream, and as `exchange` and the
 *   receiver do.
 */
export async function askEndpoint(
  connection: Connection,
  request: Request,
  isPlainText: boolean,
  { take, end }: Receiver,
): Promise<void> {
  const refusal = await exchange(connection, request, async (answer): Promise<Refusal | null> => {
    const refused = await refusalOf(answer);
    if (refused !== null) return refused;
    await locating(answer, async () => {
      if (answer.type !== 'text/event-stream') take({ data: await jsonOf(answer) });
      else {
        for await (const { event, data } of sseEvents(answer.chunks)) {
          // The mark with which OpenAI-compatible servers end a stream.
          if (data !== '[DONE]') take({ event, data: eventData(data, answer, isPlainText) });
        }
      }
      end();
    });
    return null;
  });
  if (isRefusal(refusal)) throw refusal.error;
}

/** Adds the request to errors about the content of an answer, and hides secrets in them. */
async function locating(answer: Answer, read: () => Promise<void>): Promise<void> {
  try {
    await read();
  } catch (error) {
    if (!CriteriaError.is(error) || error.problems.some(({ file }) => file !== undefined)) throw error;
    throw answer.error(answer.hide(error.message));
  }
}

/** Returns the value of JSON, or plain text. A number may be a piece of a text, so it stays as it is. */
function eventData(data: string, answer: Answer, isPlainText: boolean): unknown {
  if (!/^\s*[{["]/.test(data)) return data;
  try {
    return JSON.parse(data);
  } catch {
    if (isPlainText) return data;
    throw answer.error(`an event is broken: ${notJson(answer.hide(data), answer.type, answer.advice)}`);
  }
}
