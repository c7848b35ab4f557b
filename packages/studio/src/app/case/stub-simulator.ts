import { mockStrategyOf } from '@agent-criteria/formats';
import { fieldOf } from '@agent-criteria/formats/schema';
import { type Fields, listOf, writeKey } from '../spelling.ts';

const KEY = 'mock_strategy_type';
const INJECTIONS = 'injection_configs';
/** The answer of a new stub, which fits every call. */
const FIRST_ANSWER: Fields = { injected_response: {} };

/** Returns the simulator of a stub by name, or `null` if it has none. */
export function simulatorOf(stub: Fields): string | null {
  const written = fieldOf(stub, KEY);
  if (typeof written !== 'string' && typeof written !== 'number') return null;
  return mockStrategyOf({ toolName: '', mockStrategyType: written });
}

/** Sets the simulator of a stub. The answer of a new stub gives way to it, because it would leave no call to it. */
export function withSimulator(stub: Fields, name: string | null): Fields {
  const next = writeKey(stub, KEY, name ?? undefined);
  const answers = listOf(fieldOf(stub, INJECTIONS));
  if (name === null) return answers.length > 0 ? next : writeKey(next, INJECTIONS, [FIRST_ANSWER]);
  return JSON.stringify(answers) === JSON.stringify([FIRST_ANSWER]) ? writeKey(next, INJECTIONS, undefined) : next;
}

export function newStub(): Fields {
  return { tool_name: '', [INJECTIONS]: [FIRST_ANSWER] };
}
