import { each, isBranch, parseValuePath, type ValuePath } from '@agent-criteria/values';

/** Finds all values at a path. Follows own keys only. @throws Error if it is not a path. */
export function findValues(value: unknown, path: string): readonly unknown[] {
  const parsed = parseValuePath(path);
  if ('problem' in parsed) throw new Error(parsed.problem);
  return follow(value, parsed.path);
}

/** Finds the first value at a path, or `undefined`. */
export function findValue(value: unknown, path: string): unknown {
  return findValues(value, path)[0];
}

function follow(value: unknown, path: ValuePath): readonly unknown[] {
  let found: readonly unknown[] = [value];
  for (const step of path) {
    found = found.flatMap((one): readonly unknown[] => {
      if (!isBranch(one)) return [];
      if (step === each) return Object.values(one);
      if (Array.isArray(one) !== (typeof step === 'number') || !Object.hasOwn(one, step)) return [];
      return [(one as Readonly<Record<string | number, unknown>>)[step]];
    });
  }
  return found;
}
