/**
 * The entries of these criteria in list A of `docs/adk-parity.md`: where their numbers differ from ADK Python's by
 * default, and why. `compat: 'adk'` gives ADK's numbers.
 */
export const adkDifferences = [
  {
    id: 'efficiency-unknown',
    title: 'Calls to models and tokens that an agent does not report',
    default:
      'Unknown, with the reason. The tokens of a turn are unknown as soon as one of its calls reported none. The mean is taken over the known turns.',
    compat:
      'A turn whose events name no model counts as 0 calls. Its tokens are the sum of those reported, or 0 if the turn reports none and another turn does.',
    reason: 'An agent that does not report its tokens has used them all the same.',
  },
  {
    id: 'efficiency-nested-calls',
    title: 'Tokens of agents that run inside a tool',
    default: 'They count if the agent reports each call to a model, as agents in the same process do.',
    compat: 'Only the tokens in the events of the turn count.',
    reason: 'They cost the same as any others.',
  },
] as const;

/** Entries in list B: how these criteria differ in all modes. */
export const honestDifferences = [
  {
    id: 'efficiency-thresholds',
    title: 'A threshold on an efficiency metric',
    adk: 'Refused: these metrics never decide.',
    ours: 'If the config gives it a threshold, the criterion decides, and lower is better. Without a threshold, it is only measured, as in ADK.',
    reason: 'A budget is only useful if something enforces it.',
  },
] as const;
