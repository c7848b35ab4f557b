/** A part of a text that arrives in pieces. */
export interface Page {
  readonly text: string;
  /** The position of the next part, or `null` if this is the last. */
  readonly next: number | null;
}

/**
 * Reads a part of a text, and no more of its pieces than that takes. A part ends after a line if it can, and never within
 * a character.
 *
 * @param from The position of the first character.
 * @param most The maximum length in characters. At least 2.
 */
export async function pageOf(
  pieces: AsyncIterable<string> | Iterable<string>,
  from: number,
  most: number,
): Promise<Page> {
  let text = '';
  let before = from;
  for await (const piece of pieces) {
    const rest = piece.slice(before);
    before = Math.max(before - piece.length, 0);
    text += rest;
    if (text.length > most) {
      const end = endOf(text, most);
      return { text: text.slice(0, end), next: from + end };
    }
  }
  return { text, next: null };
}

function endOf(text: string, most: number): number {
  const line = text.lastIndexOf('\n', most - 1) + 1;
  // A long last line is cut, or the part would be short.
  if (line > most / 2) return line;
  const isPair = /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(most - 1, most + 1));
  return isPair ? most - 1 : most;
}
