import type { Evidence } from '@agent-criteria/core';
import { excerpt, formatSteps } from '@agent-criteria/values';
import type { Finding } from '../check.ts';
import { validate } from './validate.ts';

const MOST_SHOWN = 5;
const CHARACTERS = 2_000;

/** Whether a value fits a schema; where not, a diff for each of the first places. `what` is the value in words. */
export function fitsSchema(value: unknown, schema: unknown, what: string): Finding {
  try {
    const violations = validate(value, schema);
    const [first] = violations;
    if (first === undefined) return { holds: true };
    const more = violations.length > 1 ? `, and at ${violations.length - 1} more places` : '';
    const evidence = violations.slice(0, MOST_SHOWN).map(
      ({ path, expected, actual }): Evidence => ({
        kind: 'diff',
        expected: excerpt(expected, { characters: CHARACTERS }),
        actual: excerpt(actual, { characters: CHARACTERS }),
        path: `$${formatSteps(path)}`,
      }),
    );
    return { holds: false, reason: `${what} does not fit the schema at $${formatSteps(first.path)}${more}`, evidence };
  } catch (error) {
    return { holds: null, reason: `${what} cannot be compared with the schema: ${(error as Error).message}` };
  }
}
