/**
 * How JSON values are compared.
 *
 * - `'json'`: by JSON type, so `true` and `1` differ, and `1` and `1.0` are equal.
 * - `'python'`: like Python's `==`, so in addition `true == 1` and `false == 0`, at any depth.
 *
 * In both, key order is irrelevant, but list order is not; strings are compared by code point; `null` is a value, but a
 * key whose value is `undefined` is absent. Only own keys count, so that `__proto__`, `length` and `toString` are
 * ordinary keys.
 */
export type Equality = 'json' | 'python';

/** Tells whether two JSON values are equal. Does not recurse, so values may be nested to any depth. */
export function equalValues(left: unknown, right: unknown, equality: Equality): boolean {
  if (!isBranch(left) || !isBranch(right)) return equalLeaves(left, right, equality);
  // Pairs to compare, with left values at even and right values at odd indexes.
  const open: object[] = [left, right];
  while (open.length > 0) {
    const b = open.pop()!;
    const a = open.pop()!;
    if (a === b) continue;
    if (Array.isArray(a)) {
      if (!Array.isArray(b) || a.length !== b.length) return false;
      for (let index = 0; index < a.length; index++) {
        const x: unknown = a[index];
        const y: unknown = b[index];
        if (isBranch(x) && isBranch(y)) open.push(x, y);
        else if (!equalLeaves(x, y, equality)) return false;
      }
      continue;
    }
    if (Array.isArray(b)) return false;
    const keys = Object.keys(a);
    const others = Object.keys(b);
    let present = 0;
    for (let index = 0; index < keys.length; index++) {
      const key = keys[index]!;
      const x = (a as Record<string, unknown>)[key];
      if (x === undefined) continue;
      present++;
      // Both objects usually have the same key order, in which case no lookup is needed.
      if (others[index] !== key && !Object.hasOwn(b, key)) return false;
      const y = (b as Record<string, unknown>)[key];
      if (isBranch(x) && isBranch(y)) open.push(x, y);
      else if (y === undefined || !equalLeaves(x, y, equality)) return false;
    }
    if (present !== others.length && present !== presentKeys(b).length) return false;
  }
  return true;
}

/** Lists the own keys whose value is not `undefined`. */
export function presentKeys(value: object): string[] {
  const keys = Object.keys(value);
  for (const key of keys) {
    if ((value as Record<string, unknown>)[key] === undefined) {
      return keys.filter((name) => (value as Record<string, unknown>)[name] !== undefined);
    }
  }
  return keys;
}

/** Tells whether a value is a list or an object. */
export function isBranch(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

// JSON writes `undefined` in a list as null.
function equalLeaves(left: unknown, right: unknown, equality: Equality): boolean {
  if (left === right) return true;
  if (equality === 'python') {
    if (typeof left === 'boolean') return typeof right === 'number' && Number(left) === right;
    if (typeof right === 'boolean') return typeof left === 'number' && Number(right) === left;
  }
  return (left ?? null) === (right ?? null);
}
