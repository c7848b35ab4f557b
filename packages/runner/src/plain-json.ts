/** Of a value that is larger or deeper than these, one that holds itself too, nobody looks through the whole first. */
const MOST_OBJECTS = 10_000;
const DEEPEST = 50;

/**
 * Whether JSON would give the value back as it is, but for keys that hold `undefined`, which it leaves out as `copyJson`
 * does: plain objects, lists, texts, numbers that JSON can hold. Looking is far
 * quicker than writing and reading it. `false` also for what is too large to be looked through.
 */
export function isPlainJson(value: unknown): boolean {
  return isPlain(value, { left: MOST_OBJECTS }, 0);
}

function isPlain(value: unknown, budget: { left: number }, depth: number): boolean {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return true;
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0);
  if (typeof value !== 'object' || depth === DEEPEST || budget.left-- === 0 || 'toJSON' in value) return false;
  if (Array.isArray(value)) {
    for (const item of value) if (!isPlain(item, budget, depth + 1)) return false;
    return true;
  }
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  for (const key of Object.keys(value)) {
    const item = (value as Record<string, unknown>)[key];
    if (item !== undefined && !isPlain(item, budget, depth + 1)) return false;
  }
  return true;
}
