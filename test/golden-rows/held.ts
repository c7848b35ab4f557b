import { isDeepStrictEqual } from 'node:util';
import { listOf } from './lines.ts';

/** What ADK gave for a row beside what the product gives for it. */
export interface Held {
  /** As the row has it. */
  readonly adk: unknown;
  /** By the product in compat mode. Absent where the two modes cannot differ. */
  readonly compat?: unknown;
  /** By the product in default mode. */
  readonly ours: unknown;
  /** The lines of docs/adk-parity.md that say why `ours` is not `adk`. Default: none, and the two must be equal. */
  readonly lines?: readonly string[];
  /** Where lines are named: what exactly `ours` must be. */
  readonly expected?: unknown;
  /** Where a line of list B holds in compat mode too: what exactly `compat` must be. */
  readonly expectedInCompat?: unknown;
}

/** What is wrong with it; `null` where the product agrees with ADK, or differs exactly as the named lines say. */
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
