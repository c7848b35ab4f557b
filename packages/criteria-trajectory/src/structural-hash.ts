import { type Equality, isBranch } from '@agent-criteria/values';

// The maximum depth, because a hash must not recurse without limit. Below it, only equality decides.
const everything = 200;
// The number of characters at each end of a longer string that are hashed, along with as many in between.
const sampled = 32;

const doubles = new Float64Array(1);
const words = new Int32Array(doubles.buffer);

/**
 * Hashes a value to 32 bits. Values that `equalValues` considers equal have equal hashes; candidates with equal hashes
 * are then compared. Not for storage, and not safe against deliberate collisions.
 *
 * @param depth The number of levels of lists and objects that are hashed. Default: all.
 */
export function structuralHash(value: unknown, equality: Equality, depth = everything): number {
  return hashValue(value, equality, depth);
}

/** Hashes a string: its whole length counts, but only a bounded number of characters. */
export function hashString(text: string): number {
  const length = text.length;
  let hash = length ^ 0x5bd1e995;
  if (length <= 3 * sampled) {
    for (let index = 0; index < length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
    return finish(hash);
  }
  for (let index = 0; index < sampled; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
    hash = Math.imul(hash ^ text.charCodeAt(length - 1 - index), 0x01000193);
  }
  const step = Math.floor((length - 2 * sampled) / sampled);
  for (let index = 0; index < sampled; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(sampled + index * step), 0x01000193);
  }
  return finish(hash);
}

function hashValue(value: unknown, equality: Equality, depth: number): number {
  if (!isBranch(value)) return hashLeaf(value, equality);
  if (depth === 0) return 0x3c6ef372;
  if (Array.isArray(value)) {
    let hash = 0x1b873593 ^ value.length;
    for (const item of value) hash = Math.imul(hash ^ hashValue(item, equality, depth - 1), 0x85ebca6b) + 1;
    return finish(hash);
  }
  // Summed, because key order is irrelevant.
  let sum = 0x52dce729;
  for (const key of Object.keys(value)) {
    const item = (value as Record<string, unknown>)[key];
    if (item === undefined) continue;
    sum = (sum + finish(Math.imul(hashString(key), 0xcc9e2d51) ^ hashValue(item, equality, depth - 1))) | 0;
  }
  return finish(sum);
}

function hashLeaf(value: unknown, equality: Equality): number {
  switch (typeof value) {
    case 'string':
      return hashString(value);
    case 'number':
      return hashNumber(value);
    case 'boolean':
      return equality === 'python' ? hashNumber(Number(value)) : value ? 0x7f4a7c15 : 0x2545f491;
    case 'bigint':
      return hashString(String(value));
    default:
      return 0x6a09e667;
  }
}

function hashNumber(value: number): number {
  // Adding 0 turns -0 into 0, because the two are equal.
  doubles[0] = value + 0;
  return finish(words[0]! ^ Math.imul(words[1]!, 0x9e3779b1));
}

function finish(hash: number): number {
  let mixed = hash;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
