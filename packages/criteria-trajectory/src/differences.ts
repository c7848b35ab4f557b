import { type Equality, each, equalValues, isBranch, presentKeys } from '@agent-criteria/values';
import type { MatcherNode } from './matchers.ts';

/** A difference between two calls. */
export interface CallDifference {
  /** The path to the differing value. In results of `findDifferences`, it is relative to the arguments. */
  readonly path: readonly (string | number)[];
  /** The expected value, or `undefined` if the expected call has no value at this path. */
  readonly expected: unknown;
  /** The actual value, or `undefined` if the actual call has no value at this path. */
  readonly actual: unknown;
}

// Below this depth, a whole value counts as a single difference, to limit recursion.
const deepest = 200;

/**
 * Finds at most `limit` differences between two values that the matchers do not accept, in the order of the expected
 * keys, followed by the keys that only the actual value has. Without matchers, the result is empty exactly when
 * `equalValues` holds.
 *
 * @throws RangeError if a `partial` matcher would have to compare below 200 levels of nesting
 */
export function findDifferences(
  expected: unknown,
  actual: unknown,
  matchers: readonly MatcherNode[],
  equality: Equality,
  limit: number,
): CallDifference[] {
  const found: CallDifference[] = [];
  const path: (string | number)[] = [];

  function visit(left: unknown, right: unknown, nodes: readonly MatcherNode[], within: boolean): void {
    if (found.length >= limit || nodes.some((node) => accepted(node, left, right))) return;
    if (left === undefined && within) return;
    const partial = within || nodes.some((node) => node.partial);
    if (!isBranch(left) || !isBranch(right) || Array.isArray(left) !== Array.isArray(right)) {
      if (left === undefined || right === undefined || !equalValues(left, right, equality)) report(left, right);
    } else if (path.length === deepest) {
      if (equalValues(left, right, equality)) return;
      if (partial) throw new RangeError(`partial arguments are nested deeper than ${deepest} levels`);
      report(left, right);
    } else if (Array.isArray(left) && Array.isArray(right)) {
      if (left.length !== right.length) {
        report(left, right);
        return;
      }
      for (let index = 0; index < left.length; index++) {
        descend(index, left[index] ?? null, right[index] ?? null, nodes, partial);
      }
    } else {
      for (const key of presentKeys(left)) descend(key, own(left, key), own(right, key), nodes, partial);
      for (const key of presentKeys(right)) {
        if (own(left, key) === undefined) descend(key, undefined, own(right, key), nodes, partial);
      }
    }
  }

  function descend(
    step: string | number,
    left: unknown,
    right: unknown,
    nodes: readonly MatcherNode[],
    partial: boolean,
  ): void {
    if (found.length >= limit) return;
    path.push(step);
    visit(left, right, nodes.length === 0 ? nodes : childrenOf(nodes, step), partial);
    path.pop();
  }

  function accepted(node: MatcherNode, left: unknown, right: unknown): boolean {
    return node.ignore || (right !== undefined && node.accepts.some((accepts) => accepts(right, left, equality)));
  }

  function report(left: unknown, right: unknown): void {
    found.push({ path: [...path], expected: left, actual: right });
  }

  visit(expected, actual, matchers, false);
  return found;
}

const none: readonly MatcherNode[] = [];

function childrenOf(nodes: readonly MatcherNode[], step: string | number): readonly MatcherNode[] {
  const children: MatcherNode[] = [];
  for (const { below } of nodes) {
    if (below.size === 0) continue;
    for (const child of [below.get(step), below.get(each)]) {
      if (child !== undefined) children.push(child);
    }
  }
  return children.length === 0 ? none : children;
}

// Reads only own keys, because a key may be called `__proto__` or `toString`.
function own(value: object, key: string): unknown {
  return Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
}
