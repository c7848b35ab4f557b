import type { UserMove } from '@agent-criteria/core';

/** ADK's default limit. */
const DEFAULT_TURNS = 20;

const zero =
  '0 would end every conversation before its first message: remove it for the default of 20, or set it to -1 for no limit';

/** The option of simulators that limit their own turns, as JSON Schema. */
export const maxAllowedInvocationsProperty = {
  default: DEFAULT_TURNS,
  description: 'The most messages the user sends, starting prompt included. Negative: no limit.',
  type: 'integer',
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
  not: { const: 0 },
  'x-messages': { not: zero },
} as const;

/** Returns the ending if the user has sent as many messages as allowed, otherwise `null`. */
export function atTurnLimit(made: number, allowed: number): UserMove | null {
  if (allowed < 0 || made < allowed) return null;
  const all = allowed === 1 ? 'the one message' : `all ${allowed} messages`;
  const reason = `the user has sent ${all} that max_allowed_invocations allows without ending the conversation`;
  return { ending: { by: 'turn-limit', reason } };
}
