import { toErrorInfo } from '@agent-criteria/formats';

/**
 * A deep copy of plain JSON that nothing can change. A date, a map and the like are no JSON: they are left as they are.
 * @throws RangeError when the value is nested too deeply for the stack, or contains itself.
 */
export function frozenCopy<T>(value: T): T {
  return (isNested(value) ? copyNested(value) : value) as T;
}

/**
 * Freezes plain JSON where it is, all the way down, and returns it: for what belongs to the caller alone.
 * @throws RangeError as `frozenCopy`.
 */
export function frozenInPlace<T extends object>(value: T): T {
  for (const item of Array.isArray(value) ? value : Object.values(value)) if (isNested(item)) frozenInPlace(item);
  return Object.freeze(value);
}

function copyNested(value: object): object {
  if (Array.isArray(value)) {
    // At full length from the start: a list that grows reserves room for sixteen more items.
    const list = new Array<unknown>(value.length);
    for (let index = 0; index < value.length; index++) list[index] = frozenCopy(value[index]);
    return Object.freeze(list);
  }
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && Object.prototype.toString.call(value) !== '[object Object]') return value;
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const item = frozenCopy((value as Record<string, unknown>)[key]);
    // Assigned, this one would be the prototype and no key.
    if (key === '__proto__') Object.defineProperty(copy, key, { value: item, enumerable: true });
    else copy[key] = item;
  }
  if (prototype !== Object.prototype) Object.setPrototypeOf(copy, prototype);
  return Object.freeze(copy);
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Ends the reason of a score that failed because the criterion tried to change its input. */
export const FROZEN_HINT =
  'What a criterion is given is frozen, because other criteria read it too: change a copy, such as structuredClone(turn)';

/** What a criterion threw, with what to do where it tried to change something frozen. */
export function withFrozenHint(error: unknown): string {
  const { message } = toErrorInfo(error);
  // As V8, JavaScriptCore and SpiderMonkey say it.
  return /read-? ?only property|is read-only|not extensible|delete property|non-configurable/i.test(message)
    ? `${message}. ${FROZEN_HINT}`
    : message;
}
