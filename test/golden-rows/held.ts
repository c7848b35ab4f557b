import { isDeepStrictEqual } from 'node:util';
import { listOf } from './lines.ts';

/** ADK's result for a row next to the product's results. */
export interface Held {
  /** ADK's result, from the row. */
  readonly adk: unknown;
  /** The result in compat mode. Absent if the two modes cannot differ. */
  readonly compat?: unknown;
  /** The result in default mode. */
  readonly ours: unknown;
  /**
   * The entries of docs/adk-parity.md that explain why `ours` differs from `adk`. Default: none, and they must be
   * equal.
   */
  readonly lines?: readonly string[];
  /** The exact value of `ours` if entries are named. */
  readonly expected?: unknown;
  /** The exact value of `compat` if an entry of list B applies in compat mode, too. */
  readonly expectedInCompat?: unknown;
}

/**
 * Returns the problem with a row, or `null` if the product agrees with ADK or differs exactly as the named entries say.
 */
export function problemOf(held: Held): string | null {
  const { adk, compat, ours, lines = [], expected, expectedInCompat } = held;
  for (const line of lines) if (listOf(line) === null) return `docs/adk-parity.md has no line "${line}"`;
  const lists = new Set(lines.map(listOf));

  if ('compat' in held) {
    if (!('expectedInCompat' in held)) {
      if (!isDeepStrictEqual(compat, adk)) return unequal('in compat mode', compat, 'ADK gave', adk);
    } else {
      if (!lists.has('B')) return 'compat mode may differ by a line of list B only, and none is named';
      if (isDeepStrictEqual(adk, expectedInCompat)) return 'a difference in compat mode is claimed, and there is none';
      if (!isDeepStrictEqual(compat, expectedInCompat)) {
        return unequal('in compat mode', compat, 'the lines want', expectedInCompat);
      }
    }
  }

  if (lines.length === 0) {
    if (isDeepStrictEqual(ours, adk)) return null;
    return `${unequal('in default mode', ours, 'ADK gave', adk)}, and no line of docs/adk-parity.md says why`;
  }
  if (isDeepStrictEqual(ours, adk)) return `${lines.join(', ')} is named, but the row does not differ`;
  if (!isDeepStrictEqual(ours, expected)) {
    return unequal('in default mode', ours, `${lines.join(', ')} wants`, expected);
  }
  const differsInDefaultOnly = 'compat' in held && !('expectedInCompat' in held);
  if (differsInDefaultOnly && !lists.has('A'))
    return 'it differs in default mode alone, and no line of list A says why';
  return null;
}

function unequal(mode: string, found: unknown, whose: string, wanted: unknown): string {
  return `${mode} the product gives ${JSON.stringify(found)}, where ${whose} ${JSON.stringify(wanted)}`;
}
