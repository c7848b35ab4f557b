import type { Next } from '@agent-criteria/core';
import * as z from 'zod/mini';

/** ADK's. */
const DEFAULT_TURNS = 20;

const zero = '0 would end every conversation before its first message: leave it out for 20, or write -1 for no limit';

/** The option of simulators that stop by themselves. */
export const maxAllowedInvocationsSchema = z._default(
  z.int().check(z.refine((count) => count !== 0, zero)),
  DEFAULT_TURNS,
);

/** For editors and forms. */
export const maxAllowedInvocationsDescription =
  'How many messages the user sends at most, the starting prompt included. Negative: no limit.';

/** The ending of a user who has sent as many messages as are allowed; `null` while there are some left. */
export function atTurnLimit(made: number, allowed: number): Next | null {
  if (allowed < 0 || made < allowed) return null;
  const all = allowed === 1 ? 'the one message' : `all ${allowed} messages`;
  const reason = `the user has sent ${all} that max_allowed_invocations allows, and had not ended the conversation`;
  return { ending: { by: 'turn-limit', reason } };
}
