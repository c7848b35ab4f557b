/** A text with some levels of escapes removed, and the positions of its characters in the original. */
export interface Unescaped {
  readonly text: string;
  /**
   * The start of each character in the original text, followed by the end of that text, or `null` for the original
   * itself.
   */
  readonly at: Uint32Array | null;
}

const SHORT: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

/** Removes one level of JSON escapes. Returns `null` if there are none. */
export function unescaped({ text, at }: Unescaped): Unescaped | null {
  let from = text.indexOf('\\');
  if (from === -1) return null;
  const places = new Uint32Array(text.length + 1);
  let plain = '';
  let length = 0;
  let read = 0;
  let changed = false;
  const take = (until: number): void => {
    plain += text.slice(read, until);
    for (; read < until; read++) places[length++] = at?.[read] ?? read;
  };
  while (from !== -1) {
    const [character, taken] = escapeAt(text, from);
    if (taken === 0) {
      from = text.indexOf('\\', from + 1);
      continue;
    }
    take(from);
    plain += character;
    places[length++] = at?.[from] ?? from;
    read = from + taken;
    changed = true;
    from = text.indexOf('\\', read);
  }
  if (!changed) return null;
  take(text.length);
  places[length] = at?.[text.length] ?? text.length;
  return { text: plain, at: places.subarray(0, length + 1) };
}

/** Returns the escaped character and the length of the escape, or 0 if it is not an escape. */
function escapeAt(text: string, from: number): readonly [string, number] {
  const next = text.charAt(from + 1);
  if (next === 'u') {
    const code = text.slice(from + 2, from + 6);
    return /^[\da-f]{4}$/i.test(code) ? [String.fromCharCode(Number.parseInt(code, 16)), 6] : ['', 0];
  }
  const character = SHORT[next];
  return character === undefined ? ['', 0] : [character, 2];
}
