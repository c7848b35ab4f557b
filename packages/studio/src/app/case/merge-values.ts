/** A part of a value that two people changed, each in another way. */
export interface Conflict {
  /** `conversation[0].finalResponse`. */
  readonly path: string;
  readonly theirs: unknown;
  readonly mine: unknown;
}

export interface Merged {
  /** With the changes of both, and mine where they conflict unless theirs is chosen. */
  readonly value: unknown;
  readonly conflicts: readonly Conflict[];
  /** The paths that only they changed. */
  readonly theirs: readonly string[];
  /** The paths that only I changed. */
  readonly mine: readonly string[];
}

/**
 * Joins what two people made of one value. What only one of them changed is taken; objects, and lists that kept their length, are
 * looked into.
 *
 * @param takeTheirs The paths of conflicts in which their value is taken.
 */
export function mergeValues(
  base: unknown,
  theirs: unknown,
  mine: unknown,
  takeTheirs: ReadonlySet<string> = new Set(),
): Merged {
  const found = { conflicts: [] as Conflict[], theirs: [] as string[], mine: [] as string[] };
  const merge = (from: unknown, their: unknown, my: unknown, path: string): unknown => {
    if (same(their, my)) return my;
    const isObjects = [from, their, my].every(isPlain);
    if (isObjects) {
      const [a, b, c] = [from, their, my] as [Fields, Fields, Fields];
      const keys = [...new Set([...Object.keys(c), ...Object.keys(b)])];
      const entries = keys.flatMap((key): [string, unknown][] => {
        const inner = merge(own(a, key), own(b, key), own(c, key), path === '' ? key : `${path}.${key}`);
        return inner === undefined ? [] : [[key, inner]];
      });
      return Object.fromEntries(entries);
    }
    const lists = [from, their, my].filter(Array.isArray);
    if (lists.length === 3 && lists.every(({ length }) => length === lists[0]?.length)) {
      const [a = [], b = [], c = []] = lists;
      return c.map((item, place) => merge(a[place], b[place], item, `${path}[${place}]`));
    }
    if (same(from, my)) {
      found.theirs.push(path);
      return their;
    }
    if (same(from, their)) {
      found.mine.push(path);
      return my;
    }
    found.conflicts.push({ path, theirs: their, mine: my });
    return takeTheirs.has(path) ? their : my;
  };
  const value = merge(base, theirs, mine, '');
  return { value, ...found };
}

type Fields = Readonly<Record<string, unknown>>;

function own(fields: Fields, key: string): unknown {
  return Object.hasOwn(fields, key) ? fields[key] : undefined;
}

function isPlain(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Equal as JSON, whatever the order of keys. */
function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, at) => same(item, b[at]));
  if (!isPlain(a) || !isPlain(b)) return false;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => same(own(a, key), own(b, key)));
}
