import { createParser } from 'eventsource-parser';

/**
 * Yields the data of server-sent events, one string per event. Chunks may end anywhere, even within a character. Unlike
 * in the standard, an event terminated only by the end of the stream counts, because a server that stops may leave its
 * last line open.
 */
export async function* sseData(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let read: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => void read.push(data) });
  const take = (text: string): readonly string[] => {
    read = [];
    parser.feed(text);
    return read;
  };
  for await (const chunk of chunks) yield* take(decoder.decode(chunk, { stream: true }));
  yield* take(`${decoder.decode()}\n\n`);
}
