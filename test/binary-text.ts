import fc from 'fast-check';

/**
 * As fast-check's `fc.string({ unit: 'binary' })`, with its values and its slices. That one makes a map of all code points,
 * which takes each worker a second and 140 MB until its end.
 */
export function binaryText(constraints: Omit<fc.StringConstraints, 'unit'> = {}): fc.Arbitrary<string> {
  return fc.string({ ...constraints, unit: codePoint });
}

const SURROGATES = 0xd800;
const PAST_SURROGATES = 0xe000;
const SURROGATE_COUNT = PAST_SURROGATES - SURROGATES;

/** Any code point but half a pair: fast-check's `binary`, where a `stringUnit` is asked for. */
export const codePoint = fc
  .nat(0x10ffff - SURROGATE_COUNT)
  .map((index) => String.fromCodePoint(index < SURROGATES ? index : index + SURROGATE_COUNT), indexOf);

/** fast-check tries texts of its own: one that is not a character is refused by throwing. */
function indexOf(text: unknown): number {
  const code = typeof text === 'string' ? text.codePointAt(0) : undefined;
  if (code === undefined || text !== String.fromCodePoint(code)) throw new Error('not a character');
  if (code >= SURROGATES && code < PAST_SURROGATES) throw new Error('half a pair');
  return code < SURROGATES ? code : code - SURROGATE_COUNT;
}
