import { isObject } from '@agent-criteria/formats';

/** An object of a file, whose values may be anything. */
export type Fields = Readonly<Record<string, unknown>>;

/** Returns the objects in a list, or none for any other value. */
export function objectsIn(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Returns an object, or an empty one for any other value. */
export function objectIn(value: unknown): Fields {
  return isObject(value) ? value : {};
}
