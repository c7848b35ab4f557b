import { createParser } from 'eventsource-parser';

/**
 * Yields the data of server-sent events, one text for each event. Chunks may end anywhere, even within a character. An
 * event that is terminated by the end of the stream counts, unlike in the standard: stopped servers leave the last line
 * open.
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
