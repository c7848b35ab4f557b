/**
 * The entries of this criterion in list A of `docs/adk-parity.md`: where its numbers differ from ADK Python's by
 * default, and why. `compat: 'adk'` gives ADK's numbers.
 */
export const adkDifferences = [
  {
    id: 'args-absent-is-empty',
    title: 'Missing arguments',
    default: 'An expected call without `args`, or with `null`, equals a call with `{}`.',
    compat: 'They differ, as in ADK.',
    reason: 'Models pass `{}` to tools without parameters, but people who write cases by hand leave it out.',
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
    default: '`agentName` and `agent_name` are the same argument of `transfer_to_agent`.',
    compat: 'They differ.',
    reason:
      'ADK for TypeScript writes the first, ADK for Python the second. An eval set written for one works for both.',
  },
  {
    id: 'tolerance',
    title: 'Thresholds',
    default: 'The mean of the turns still passes if it misses the threshold by at most 1e-9 of the threshold.',
    compat: 'The mean is compared as it is.',
    reason: 'A threshold of 0.6666666666666667 should pass when two turns of three match.',
  },
] as const;
