import fc from 'fast-check';

/**
 * Generates the same values and shrinks as fast-check's `fc.string({ unit: 'binary' })`, which builds a map of all code
 * points. That costs each worker a second, and 140 MB until it exits.
 */
export function binaryText(constraints: Omit<fc.StringConstraints, 'unit'> = {}): fc.Arbitrary<string> {
  return fc.string({ ...constraints, unit: codePoint });
}

const SURROGATES = 0xd800;
const PAST_SURROGATES = 0xe000;
const SURROGATE_COUNT = PAST_SURROGATES - SURROGATES;

/**
 * Generates any code point except lone surrogates: a replacement for fast-check's `binary`, for use as a `stringUnit`.
 */
export const codePoint = fc
  .nat(0x10ffff - SURROGATE_COUNT)
  .map((index) => String.fromCodePoint(index < SURROGATES ? index : index + SURROGATE_COUNT), indexOf);

/** Throws for strings that are not a single character, which fast-check itself tries. */
function indexOf(text: unknown): number {
  const code = typeof text === 'string' ? text.codePointAt(0) : undefined;
  if (code === undefined || text !== String.fromCodePoint(code)) throw new Error('not a character');
  if (code >= SURROGATES && code < PAST_SURROGATES) throw new Error('half a pair');
  return code < SURROGATES ? code : code - SURROGATE_COUNT;
}
