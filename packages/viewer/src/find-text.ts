/** A match, given by the piece and character where it begins and ends. */
export interface FoundText {
  readonly from: readonly [piece: number, at: number];
  readonly to: readonly [piece: number, at: number];
}

/** Finds a text in consecutive pieces, ignoring case. */
export function findText(pieces: readonly string[], wanted: string, most: number): readonly FoundText[] {
  const sought = folded(wanted);
  if (sought === '') return [];
  const whole = folded(pieces.join(''));
  const found: FoundText[] = [];
  let [piece, begin] = [0, 0];
  /** Locates a character. The end of a match belongs to the same piece as its last character. */
  const locate = (at: number, isEnd: boolean): readonly [number, number] => {
    for (;;) {
      const end = begin + (pieces[piece]?.length ?? 0);
      if (at < end || (isEnd && at === end) || piece >= pieces.length - 1) return [piece, at - begin];
      begin = end;
      piece += 1;
    }
  };
  for (let at = whole.indexOf(sought); at >= 0 && found.length < most; at = whole.indexOf(sought, at + sought.length)) {
    const from = locate(at, false);
    found.push({ from, to: locate(at + sought.length, true) });
  }
  return found;
}

/** Converts a text to lower case without changing its length. */
function folded(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return lower;
  return [...text].map((each) => (each.toLowerCase().length === each.length ? each.toLowerCase() : each)).join('');
}
