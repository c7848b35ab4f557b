import { isObject } from '@agent-criteria/formats';
import type { Fields } from '../spelling.ts';

/** A part of a value that two people changed differently. */
export interface Conflict {
  /** Such as `conversation[0].finalResponse`. */
  readonly path: string;
  readonly theirs: unknown;
  readonly mine: unknown;
}

export interface Merged {
  /** Contains both people's changes; in conflicts, my value, unless theirs is chosen. */
  readonly value: unknown;
  readonly conflicts: readonly Conflict[];
  readonly theirs: readonly string[];
  readonly mine: readonly string[];
}

/**
 * Merges two versions of a value. Takes changes made on only one side, and recursively merges objects and lists of
 * unchanged length.
 *
 * @param takeTheirs Paths of the conflicts to resolve with their value.
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
    const isObjects = [from, their, my].every(isObject);
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

function own(fields: Fields, key: string): unknown {
  return Object.hasOwn(fields, key) ? fields[key] : undefined;
}

/** Whether two values are equal as JSON, ignoring key order. */
export function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, at) => same(item, b[at]));
  if (!isObject(a) || !isObject(b)) return false;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => same(own(a, key), own(b, key)));
}
