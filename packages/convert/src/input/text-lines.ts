import { LONGEST_RECORD, tooLong } from './source-record.ts';

/** Splits a text that arrives in pieces into its lines. Lines end with LF or CRLF. */
export async function* textLines(
  pieces: AsyncIterable<string>,
  file: string,
): AsyncGenerator<{ readonly text: string; readonly line: number }> {
  let line = 1;
  let waiting: string[] = [];
  let length = 0;
  for await (const piece of pieces) {
    let from = 0;
    for (let end = piece.indexOf('\n'); end !== -1; end = piece.indexOf('\n', from)) {
      yield { text: withoutReturn(waiting.join('') + piece.slice(from, end)), line };
      waiting = [];
      length = 0;
      line += 1;
      from = end + 1;
    }
    waiting.push(piece.slice(from));
    length += piece.length - from;
    if (length > LONGEST_RECORD) throw tooLong(file, line, 'write one conversation per line');
  }
  if (length > 0) yield { text: withoutReturn(waiting.join('')), line };
}

function withoutReturn(text: string): string {
  return text.endsWith('\r') ? text.slice(0, -1) : text;
}
