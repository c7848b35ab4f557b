import { isObject } from '@agent-criteria/formats';

/** The difference between two values at one path. */
export type Change =
  | { readonly kind: 'same' | 'removed' | 'added'; readonly key: string | null; readonly value: unknown }
  /** `inside` means that both values are objects, or both are lists, with differences inside. */
  | {
      readonly kind: 'changed' | 'inside';
      readonly key: string | null;
      readonly before: unknown;
      readonly after: unknown;
    };

export function compareValues(before: unknown, after: unknown, key: string | null = null): Change {
  if (isSameJson(before, after)) return { kind: 'same', key, value: after };
  const both = (is: (value: unknown) => boolean) => is(before) && is(after);
  return { kind: both(Array.isArray) || both(isObject) ? 'inside' : 'changed', key, before, after };
}

/** Returns the differences one level below: first in the order of the first value, then additions. */
export function changesInside(before: unknown, after: unknown): readonly Change[] {
  const [left, right] = [entriesOf(before), entriesOf(after)];
  const names = Array.isArray(before) ? (_key: string) => null : (key: string) => key;
  return [
    ...[...left].map(([key, value]): Change => {
      return right.has(key)
        ? compareValues(value, right.get(key), names(key))
        : { kind: 'removed', key: names(key), value };
    }),
    ...[...right].flatMap(([key, value]): Change[] =>
      left.has(key) ? [] : [{ kind: 'added', key: names(key), value }],
    ),
  ];
}

function entriesOf(value: unknown): Map<string, unknown> {
  return new Map(Object.entries(value ?? {}));
}

/** Whether two values are equal as JSON, ignoring key order. `undefined` counts as absent. */
export function isSameJson(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, place) => isSameJson(item, right[place]));
  }
  if (!isObject(left) || !isObject(right)) return false;
  const keys = keysOf(left);
  return (
    keys.length === keysOf(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && isSameJson(left[key], right[key]))
  );
}

function keysOf(value: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(value).filter((key) => value[key] !== undefined);
}
