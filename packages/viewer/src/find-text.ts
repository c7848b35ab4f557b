/** Where a text was found: in which piece it begins and ends, and at which character of that. */
export interface FoundText {
  readonly from: readonly [piece: number, at: number];
  readonly to: readonly [piece: number, at: number];
}

/** The matches of a text in a text that comes in pieces, ignoring case, at most this many. */
export function findText(pieces: readonly string[], wanted: string, most: number): readonly FoundText[] {
  const sought = folded(wanted);
  if (sought === '') return [];
  const whole = folded(pieces.join(''));
  const found: FoundText[] = [];
  let [piece, begin] = [0, 0];
  /** The piece with this character; of an end, the piece that the character before it is in. */
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

/** In small letters, each as long as before. */
function folded(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return lower;
  return [...text].map((each) => (each.toLowerCase().length === each.length ? each.toLowerCase() : each)).join('');
}
