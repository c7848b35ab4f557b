import { createParser } from 'eventsource-parser';

/** A server-sent event. */
export interface ServerSentEvent {
  /** Its name, if it has one. */
  readonly event: string | undefined;
  readonly data: string;
}

/**
 * Yields server-sent events. Chunks may end anywhere, even within a character. Unlike in the standard, an event
 * terminated only by the end of the stream counts, because a server that stops may leave its last line open.
 */
export async function* sseEvents(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  const decoder = new TextDecoder();
  let read: ServerSentEvent[] = [];
  const parser = createParser({ onEvent: ({ event, data }) => void read.push({ event, data }) });
  const take = (text: string): readonly ServerSentEvent[] => {
    read = [];
    parser.feed(text);
    return read;
  };
  for await (const chunk of chunks) yield* take(decoder.decode(chunk, { stream: true }));
  yield* take(`${decoder.decode()}\n\n`);
}

/** Yields the data of server-sent events, one string per event. */
export async function* sseData(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  for await (const { data } of sseEvents(chunks)) yield data;
}
