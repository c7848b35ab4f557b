import { isObject } from '@agent-criteria/formats';

/** An object from a file, with snake-case or camel-case keys. */
export type Fields = Readonly<Record<string, unknown>>;

/** Sets a key, given in snake case. Keeps its existing spelling, or else uses snake case. `undefined` removes it. */
export function writeKey(fields: Fields, key: string, value: unknown): Fields {
  const spelt = !Object.hasOwn(fields, key) && Object.hasOwn(fields, camel(key)) ? camel(key) : key;
  if (value !== undefined) return { ...fields, [spelt]: value };
  const { [spelt]: _, ...others } = fields;
  return others;
}

/** Returns the objects in a list; none for any other value. */
export function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function camel(key: string): string {
  return key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
