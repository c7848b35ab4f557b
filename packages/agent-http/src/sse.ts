/**
 * The data of server-sent events, one text for each event, as the HTML standard reads them: lines end with CR, LF or both,
 * `data` lines of one event are joined by a newline, comments and other fields are left out. Chunks may end anywhere, also
 * within a character. (One departure: an event that the end of the stream closes counts, where the standard drops it.)
 */
export async function* sseData(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const events = sseReader();
  for await (const chunk of chunks) yield* events.take(decoder.decode(chunk, { stream: true }));
  yield* events.take(decoder.decode());
  yield* events.end();
}

/** The same, piece of text by piece of text. */
function sseReader(): { take(text: string): Generator<string>; end(): Generator<string> } {
  /** Pieces of the line that has not ended yet. */
  let begun: string[] = [];
  /** The data lines of the event that has not ended yet. */
  let data: string[] = [];
  let endedWithReturn = false;

  function* line(text: string): Generator<string> {
    if (text === '') {
      if (data.length > 0) yield data.join('\n');
      data = [];
    } else if (text === 'data') {
      data.push('');
    } else if (text.startsWith('data:')) {
      data.push(text.slice(text[5] === ' ' ? 6 : 5));
    }
  }

  return {
    *take(text) {
      if (text === '') return;
      // Of CR and LF in two chunks, the LF is no second end.
      let from = endedWithReturn && text[0] === '\n' ? 1 : 0;
      endedWithReturn = text.endsWith('\r');
      const ends = /\r\n|\r|\n/g;
      ends.lastIndex = from;
      for (let end = ends.exec(text); end !== null; end = ends.exec(text)) {
        begun.push(text.slice(from, end.index));
        const whole = begun.join('');
        begun = [];
        yield* line(whole);
        from = ends.lastIndex;
      }
      if (from < text.length) begun.push(text.slice(from));
    },
    *end() {
      yield* line(begun.join(''));
      yield* line('');
    },
  };
}
