import { createParser } from 'eventsource-parser';

/**
 * The data of server-sent events, one text for each event. Chunks may end anywhere, also within a character. An event that the
 * end of the stream closes counts, where the standard drops it: servers that are stopped leave the last line open.
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
