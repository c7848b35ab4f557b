import type { Content } from '@agent-criteria/core';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { SessionEvent } from '../../api.ts';
import { addressOf, type Input, Refused, send } from '../api-client.ts';
import { connectionLost } from '../connection.ts';

const TURN = 'GET /apps/:app/sessions/:session/turn';

/**
 * Follows the turn in flight from its first event, if there is one.
 * @param on Receives the user's message, and then each event.
 * @returns Why the agent never got the message, or `null` if it did.
 * @throws Refused, also if the studio ends in the meantime.
 */
export async function followTurn(
  { signal, ...place }: Input<typeof TURN>,
  on: { message(content: Content): void; event(event: SessionEvent): void },
): Promise<string | null> {
  const { body } = await send('GET', addressOf(TURN, place), { signal });
  if (body === null) return null;
  const events = body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  const reader = events.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const { event, data } = next.value;
      const value: unknown = JSON.parse(data);
      if (event === 'message') on.message(value as Content);
      else if (event === 'event') on.event(value as SessionEvent);
      else if (event === 'end') return (value as { readonly problem?: string }).problem ?? null;
    }
  } catch (error) {
    if (signal?.aborted === true) throw error;
  }
  connectionLost();
  throw new Refused(0, 'The answer broke off.', null);
}
