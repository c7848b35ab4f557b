import { isObject } from '@agent-criteria/formats';
import { each, type ValuePath } from '@agent-criteria/values';

/** Returns the value at a path, or `undefined`. @param key Replaces the step `[*]`. */
export function valueAt(record: unknown, path: ValuePath, key?: string | number): unknown {
  let value = record;
  for (const step of path) {
    const one = step === each ? key : step;
    if (Array.isArray(value)) value = value[Number(one)];
    else if (isObject(value) && one !== undefined && Object.hasOwn(value, one)) value = value[one];
    else return undefined;
  }
  return value;
}

/** Returns the keys that replace `[*]` in a record: those of the object or list before it. */
export function keysAt(record: unknown, path: ValuePath): readonly (string | number)[] {
  const before = valueAt(record, path.slice(0, path.indexOf(each)));
  if (Array.isArray(before)) return before.map((_, index) => index);
  return isObject(before) ? Object.keys(before) : [];
}
