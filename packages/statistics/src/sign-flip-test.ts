import { type Draws, signFlipDraws } from './sign-flip-draws.ts';
import { type SignFlip, signFlipExact } from './sign-flip-exact.ts';
import type { Unknown } from './unknown.ts';

/** With up to this many non-zero differences, the test is exact: 2^16 assignments of signs. */
const EXACT_UP_TO = 16;

/**
 * Tests two runs of the same cases, using `signFlipExact` for up to 16 non-zero differences, and otherwise
 * `signFlipDraws`.
 *
 * @throws RangeError as for those.
 */
export function signFlipTest(differences: readonly number[], options: Draws = {}): SignFlip | Unknown {
  const count = differences.reduce((sum, value) => sum + (value === 0 ? 0 : 1), 0);
  return count <= EXACT_UP_TO ? signFlipExact(differences) : signFlipDraws(differences, options);
}
