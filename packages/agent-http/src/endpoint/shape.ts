/** The depth to which a shape is described. */
const DEPTH = 4;
/** The number of keys of an object that are named. */
const MOST_KEYS = 12;
/** The longest shape, in characters. */
const LONGEST = 600;

/** Describes what a value looks like, without its texts and numbers: `{ output: [{ text: string }], id: number }`. */
export function shapeOf(value: unknown): string {
  const shape = describe(value, DEPTH);
  return shape.length <= LONGEST ? shape : `${shape.slice(0, LONGEST)}…`;
}

function describe(value: unknown, depth: number): string {
  if (value === null) return 'null';
  if (typeof value !== 'object') return typeof value;
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    if (depth === 0) return '[…]';
    const items = [...new Set(value.slice(0, MOST_KEYS).map((item) => describe(item, depth - 1)))];
    return `[${items.slice(0, 3).join(' | ')}${items.length > 3 ? ' | …' : ''}]`;
  }
  const keys = Object.keys(value);
  if (keys.length === 0) return '{}';
  if (depth === 0) return '{…}';
  const shown = keys.slice(0, MOST_KEYS).map((key) => {
    const name = /^[\w$-]{1,60}$/.test(key) ? key : JSON.stringify(key.length > 60 ? `${key.slice(0, 60)}…` : key);
    return `${name}: ${describe((value as Readonly<Record<string, unknown>>)[key], depth - 1)}`;
  });
  return `{ ${shown.join(', ')}${keys.length > MOST_KEYS ? ', …' : ''} }`;
}
