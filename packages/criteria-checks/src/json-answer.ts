/**
 * Returns the content of a Markdown code fence that encloses the whole string, or the string itself if there is no
 * fence.
 */
export function unfenced(text: string): string {
  const lines = text.trim().split('\n');
  const [first = '', last = ''] = [lines[0], lines.at(-1)];
  const fence = first.slice(0, 3);
  const isFenced = (fence === '```' || fence === '~~~') && lines.length > 1 && last.trim() === fence;
  return isFenced ? lines.slice(1, -1).join('\n') : text;
}

/** A key that occurs more than once in an object in a JSON string. */
export interface RepeatedKey {
  readonly key: string;
  /** The path of the object, such as `$.items[0]`. */
  readonly path: string;
}

/** An object or a list that is being read. */
interface Open {
  readonly path: string;
  /** The keys so far, or `null` for a list. */
  readonly keys: Set<string> | null;
  /** The most recent key, or the index in the list. */
  at: string | number;
}

/**
 * Finds the first key that an object repeats, or returns `null` if there is none. `JSON.parse` silently takes the last
 * value, and other readers take the first.
 *
 * @param json A string that `JSON.parse` accepts.
 */
export function repeatedKey(json: string): RepeatedKey | null {
  const open: Open[] = [];
  for (let place = 0; place < json.length; place += 1) {
    const character = json[place];
    const inner = open.at(-1);
    if (character === '{' || character === '[') {
      open.push({ path: pathIn(inner), keys: character === '{' ? new Set() : null, at: 0 });
    } else if (character === '}' || character === ']') open.pop();
    else if (character === ',' && typeof inner?.at === 'number') inner.at += 1;
    else if (character === '"') {
      const end = endOfText(json, place);
      if (inner !== undefined && inner.keys !== null && isKey(json, end)) {
        const key: string = JSON.parse(json.slice(place, end));
        if (inner.keys.has(key)) return { key, path: inner.path };
        inner.keys.add(key);
        inner.at = key;
      }
      place = end - 1;
    }
  }
  return null;
}

function pathIn(outer: Open | undefined): string {
  if (outer === undefined) return '$';
  const { path, at } = outer;
  if (typeof at === 'number') return `${path}[${at}]`;
  return /^[A-Za-z_$][\w$]*$/.test(at) ? `${path}.${at}` : `${path}[${JSON.stringify(at)}]`;
}

/** Returns the position after the string's closing quote. */
function endOfText(json: string, start: number): number {
  let place = start + 1;
  while (place < json.length && json[place] !== '"') place += json[place] === '\\' ? 2 : 1;
  return place + 1;
}

function isKey(json: string, end: number): boolean {
  let place = end;
  while (/\s/.test(json[place] ?? '')) place += 1;
  return json[place] === ':';
}
