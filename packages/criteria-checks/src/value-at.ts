import { isBranch } from '@agent-criteria/values';

/** What is at a path into a value; `undefined` where nothing is. Own keys only: `__proto__` is a key like any other. */
export function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  let at = value;
  for (const step of path) {
    if (!isBranch(at) || Array.isArray(at) !== (typeof step === 'number') || !Object.hasOwn(at, step)) return undefined;
    at = (at as Readonly<Record<string | number, unknown>>)[step];
  }
  return at;
}
