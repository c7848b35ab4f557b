import { keyText } from '../key-text.ts';
import type { UnitState } from './journal.ts';

/** States by the text of their keys. Reads all of them, in one pass. */
export async function statesByKey(
  states: Iterable<UnitState> | AsyncIterable<UnitState>,
): Promise<Map<string, UnitState>> {
  const byKey = new Map<string, UnitState>();
  for await (const state of states) byKey.set(keyText(state.key), state);
  return byKey;
}
