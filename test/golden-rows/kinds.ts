import { isDeepStrictEqual } from 'node:util';
import type { Held } from './held.ts';

/**
 * A kind of row on which the product differs from ADK in every mode. It is recognised by the content of a row, never by
 * its id, so that a new row is explained if it is of a known kind, and not otherwise.
 */
export interface Kind<Input, Result> {
  /** The behaviour of the product, and that of ADK. */
  readonly why: string;
  /** The entry in list B of docs/adk-parity.md. */
  readonly line: string;
  applies(input: Input): boolean;
  /** Returns the exact result of the product for such a row. */
  comesTo(input: Input): Result;
}

const used = new Set<string>();

/** Returns the kinds that occurred in the rows driven so far. */
export function usedKinds(): ReadonlySet<string> {
  return used;
}

/**
 * Returns the result of a row, with the entry of its kind if the kind changes the result.
 * @throws Error for a row of two kinds that disagree, because one of them must be too broad.
 */
export function ofKind<Input, Result>(kinds: readonly Kind<Input, Result>[], input: Input, held: Held): Held {
  const [kind, ...others] = kinds.filter((one) => one.applies(input));
  if (kind === undefined) return held;
  const expected = kind.comesTo(input);
  const other = others.find((one) => !isDeepStrictEqual(one.comesTo(input), expected));
  if (other !== undefined) throw new Error(`the row is of two kinds that disagree: ${kind.why}; ${other.why}`);
  if (isDeepStrictEqual(expected, held.adk)) return held;
  used.add(kind.why);
  const inCompat = 'compat' in held ? { expectedInCompat: expected } : {};
  return { ...held, lines: [kind.line], expected, ...inCompat };
}
