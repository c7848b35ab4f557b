import {
  type Answer,
  type Connection,
  exchange,
  isRefusal,
  notJson,
  type Refusal,
  refusalOf,
  shortened,
  sseData,
} from '@agent-criteria/calls/agent-server';
import { type Content, CriteriaError, type Json } from '@agent-criteria/core';

/** A route for sending messages. */
export type Route = 'run' | 'run_sse';

/** A message to send. */
export interface Message {
  readonly app: string;
  readonly userId: string;
  readonly sessionId: string;
  readonly message: Content;
  readonly streaming: boolean;
}

/** The result of sending a message. */
export interface Reply {
  /** All events that arrived, even if the turn then failed. */
  readonly events: readonly unknown[];
  /** The failure, or `null` if the turn was complete. */
  readonly failure: unknown;
  /** Masks credentials in a string from the server. */
  hide(text: string): string;
}

/**
 * Sends a message and collects the events of the turn.
 *
 * @returns A refusal if the server rejects the message without doing anything, or else the reply, even if the turn
 *   broke off.
 * @throws The signal's reason if it aborted before any event arrived.
 */
export async function sendMessage(
  connection: Connection,
  route: Route,
  { app, userId, sessionId, message, streaming }: Message,
  options: {
    readonly timeout: number | undefined;
    readonly signal: AbortSignal;
    readonly on?: ((event: Json) => void) | undefined;
  },
): Promise<Reply | Refusal> {
  const { timeout, signal, on } = options;
  const events: unknown[] = [];
  let hide = (text: string): string => text;
  const take = (event: unknown): void => {
    events.push(event);
    on?.(event as Json);
  };
  const body = {
    appName: app,
    userId,
    sessionId,
    newMessage: message,
    ...(route === 'run_sse' ? { streaming } : {}),
  };
  try {
    const refusal = await exchange(
      connection,
      { method: 'POST', path: `/${route}`, body, timeout, signal },
      (answer) => {
        hide = answer.hide;
        const isStream = answer.type === 'text/event-stream' && answer.status === 200;
        return isStream ? takeStream(answer, take) : takeList(answer, take);
      },
    );
    return refusal ?? { events, failure: null, hide };
  } catch (failure) {
    if (events.length === 0) signal.throwIfAborted();
    return { events, failure: signal.aborted ? signal.reason : failure, hide };
  }
}

async function takeStream(answer: Answer, take: (event: unknown) => void): Promise<null> {
  for await (const data of sseData(answer.chunks)) {
    const event = parsed(data, answer);
    const said = errorIn(event);
    if (said !== null) throw answer.error(`the agent failed: ${shortened(answer.hide(said), MOST_SAID)}`);
    take(event);
  }
  return null;
}

async function takeList(answer: Answer, take: (event: unknown) => void): Promise<Refusal | null> {
  if (answer.status >= 200 && answer.status < 300) {
    const body = parsed(await answer.text(), answer);
    if (!Array.isArray(body))
      throw answer.error('the answer is not a list of events: is this the root of an ADK server?');
    for (const event of body) take(event);
    return null;
  }
  const kept: { text?: string } = {};
  const refusal = await refusalOf({ ...answer, text: async () => (kept.text ??= await answer.text()) });
  // When its agent throws, a TypeScript server returns the events so far.
  const done = eventsIn(kept.text ?? '');
  for (const event of done) take(event);
  if (refusal !== null && done.length > 0) throw refusal.error;
  return refusal;
}

const MOST_SAID = 1000;

function parsed(text: string, answer: Answer): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw answer.error(notJson(answer.hide(text), answer.type, answer.advice));
  }
}

/** Returns the error if a stream item is an error instead of an event. */
function errorIn(event: unknown): string | null {
  if (typeof event !== 'object' || event === null || !('error' in event) || 'author' in event) return null;
  return typeof event.error === 'string' ? event.error : JSON.stringify(event.error);
}

function eventsIn(text: string): readonly unknown[] {
  try {
    const { events } = Object(JSON.parse(text)) as { readonly events?: unknown };
    return Array.isArray(events) ? events : [];
  } catch {
    return [];
  }
}

/** Statuses that servers return for a missing route, or for one that does not accept this method. */
const NO_ROUTE: ReadonlySet<number> = new Set([404, 405, 501]);

/**
 * Sends a message through the first of the two routes, or through the second if the server lacks the first.
 *
 * @returns The route that was used, and its result.
 */
export async function sendByAnyRoute(
  send: (route: Route) => Promise<Reply | Refusal>,
  [first, other]: readonly [Route, Route],
): Promise<{ readonly route: Route; readonly reply: Reply | Refusal }> {
  const reply = await send(first);
  if (!isRefusal(reply) || !NO_ROUTE.has(reply.status)) return { route: first, reply };
  // The server has not done anything yet, so the message can be sent again.
  const second = await send(other);
  if (isRefusal(second) && NO_ROUTE.has(second.status)) return { route: first, reply };
  return { route: other, reply: second };
}

/** Creates the error for a turn without any events. */
export function nothingCame(server: string, route: Route): CriteriaError {
  const message = "the turn ended without any event: the agent did nothing; check the server's log";
  return new CriteriaError({ code: 'AGENT_FAILED', file: `POST ${server}/${route}`, message });
}
