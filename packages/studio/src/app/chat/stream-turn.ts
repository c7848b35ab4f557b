import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { ApiError, MessageToSend, SessionEvent } from '../../api.ts';
import { Refused } from '../api-client.ts';

export interface TurnRequest {
  readonly appName: string;
  readonly userId: string;
  readonly sessionId: string;
  readonly message: MessageToSend;
}

/** Sends a message, and gives the agent's events as they come. @throws Refused */
export async function streamTurn(
  { message, ...session }: TurnRequest,
  on: (event: SessionEvent) => void,
): Promise<void> {
  const { content, stateDelta = null } = message;
  const body = { ...session, newMessage: content, stateDelta, streaming: true };
  const response = await sent('/run_sse', JSON.stringify(body));
  if (!response.ok || response.body === null) {
    const answer: unknown = await response.json().catch(() => null);
    const detail = (answer as ApiError | null)?.detail;
    const said = Array.isArray(detail) ? detail.map(({ msg }) => msg).join('\n') : detail;
    throw new Refused(response.status, String(said ?? `The studio answered ${response.status}.`), answer);
  }
  const events = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  const reader = events.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      on(JSON.parse(next.value.data) as SessionEvent);
    }
  } catch {
    throw new Refused(0, 'The answer broke off. Is the studio still running in the terminal?', null);
  }
}

async function sent(path: string, body: string): Promise<Response> {
  try {
    return await fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  } catch {
    throw new Refused(0, 'The studio does not answer. Is it still running in the terminal?', null);
  }
}
