/** An object of a file, whose keys stand in snake case or in camel case. */
export type Fields = Readonly<Record<string, unknown>>;

/** @param key In snake case. */
export function readKey(fields: Fields, key: string): unknown {
  return Object.hasOwn(fields, key) ? fields[key] : fields[camel(key)];
}

/** With another value by a key, as it is spelt there; by a new key, in snake case. `undefined`: without it. */
export function writeKey(fields: Fields, key: string, value: unknown): Fields {
  const spelt = !Object.hasOwn(fields, key) && Object.hasOwn(fields, camel(key)) ? camel(key) : key;
  if (value !== undefined) return { ...fields, [spelt]: value };
  const { [spelt]: _, ...others } = fields;
  return others;
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What of a value is a list of objects. */
export function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : [];
}

function camel(key: string): string {
  return key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
