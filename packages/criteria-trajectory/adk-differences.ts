/**
 * Where the numbers of this criterion differ from ADK Python's by default, and why: its lines of list A in
 * `docs/adk-parity.md`. `compat: 'adk'` gives ADK's.
 */
export const adkDifferences = [
  {
    id: 'args-absent-is-empty',
    title: 'Absent arguments',
    default: 'An expected call without `args`, or with `null`, equals a call with `{}`.',
    compat: 'They differ, as in ADK.',
    reason: 'Models call tools without parameters with `{}`, and nobody writes that by hand.',
  },
  {
    id: 'true-is-not-one',
    title: 'Booleans and numbers',
    default: '`true` does not equal `1`, `false` does not equal `0`, at any depth. `1` and `1.0` are equal.',
    compat: 'They are equal, as in Python.',
    reason: 'They are different JSON values, and a tool may treat them differently.',
  },
  {
    id: 'transfer-spelling',
    title: 'Transfers to another agent',
    default: '`agentName` and `agent_name` of `transfer_to_agent` are the same argument.',
    compat: 'They differ.',
    reason: 'ADK for TypeScript writes the one and ADK for Python the other; a set written for one is right for both.',
  },
  {
    id: 'tolerance',
    title: 'Thresholds',
    default: 'The mean of the turns passes a threshold that it misses by at most 1e-9 of it.',
    compat: 'The mean is compared as it is.',
    reason: 'A threshold of 0.6666666666666667 is meant to let two turns of three pass.',
  },
] as const;
