const WIDTH = 140;

/** Formats JSON compactly but readably: values that fit on one line are written on one line. */
export function pretty(value: unknown, indent = 0): string {
  const flat = JSON.stringify(value);
  if (indent + flat.length <= WIDTH || typeof value !== 'object' || value === null) return flat;
  const inner = ' '.repeat(indent + 2);
  const parts = Array.isArray(value)
    ? value.map((item) => pretty(item, indent + 2))
    : Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${pretty(item, indent + 2)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${parts.map((part) => inner + part).join(',\n')}\n${' '.repeat(indent)}${close}`;
}
