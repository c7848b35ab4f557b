import { toErrorInfo } from '@agent-criteria/formats';

/**
 * Copies plain JSON and freezes the copy, at all levels. Other objects, such as dates and maps, are not copied.
 *
 * @throws RangeError if the value is nested too deeply for the stack, or contains itself.
 */
export function frozenCopy<T>(value: T): T {
  return (isNested(value) ? copyNested(value) : value) as T;
}

/** Freezes plain JSON in place, at all levels, and returns it. @throws RangeError like `frozenCopy`. */
export function frozenInPlace<T extends object>(value: T): T {
  for (const item of Array.isArray(value) ? value : Object.values(value)) if (isNested(item)) frozenInPlace(item);
  return Object.freeze(value);
}

function copyNested(value: object): object {
  if (Array.isArray(value)) {
    // Allocated at full length, because a growing array reserves room for sixteen more items.
    const list = new Array<unknown>(value.length);
    for (let index = 0; index < value.length; index++) list[index] = frozenCopy(value[index]);
    return Object.freeze(list);
  }
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && Object.prototype.toString.call(value) !== '[object Object]') return value;
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const item = frozenCopy((value as Record<string, unknown>)[key]);
    // An assignment would set the prototype.
    if (key === '__proto__') Object.defineProperty(copy, key, { value: item, enumerable: true });
    else copy[key] = item;
  }
  if (prototype !== Object.prototype) Object.setPrototypeOf(copy, prototype);
  return Object.freeze(copy);
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** The end of a score's reason when the criterion failed because it tried to change its input. */
export const FROZEN_HINT =
  'What a criterion is given is frozen, because other criteria read it too: change a copy, such as structuredClone(turn)';

/** Returns the message of an error that a criterion threw, with advice if it tried to change a frozen object. */
export function withFrozenHint(error: unknown): string {
  const { message } = toErrorInfo(error);
  // The error messages of V8, JavaScriptCore and SpiderMonkey.
  return /read-? ?only property|is read-only|not extensible|delete property|non-configurable/i.test(message)
    ? `${message}. ${FROZEN_HINT}`
    : message;
}
