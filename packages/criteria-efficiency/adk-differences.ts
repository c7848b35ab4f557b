/**
 * Where the numbers of these criteria differ from ADK Python's by default, and why: their lines of list A in
 * `docs/adk-parity.md`. `compat: 'adk'` gives ADK's.
 */
export const adkDifferences = [
  {
    id: 'efficiency-unknown',
    title: 'Calls to models and tokens that an agent does not report',
    default:
      'Unknown, with the reason. So are the tokens of a turn when one of its calls reported none. The mean is that of the turns that are known.',
    compat:
      'A turn whose events name no model made 0 calls. Tokens are those of the calls that reported some, and 0 for a turn without any where another turn has some.',
    reason: 'An agent that says nothing of its tokens has not saved them.',
  },
  {
    id: 'efficiency-nested-calls',
    title: 'Tokens of agents that run inside a tool',
    default: 'They count, where the agent reports each call to a model, as those in process do.',
    compat: 'Only the tokens in the events of the turn count.',
    reason: 'They are paid for like any others.',
  },
] as const;

/** Lines of list B: how these criteria differ in every mode. */
export const honestDifferences = [
  {
    id: 'efficiency-thresholds',
    title: 'A threshold on an efficiency metric',
    adk: 'Refused: they never decide.',
    ours: 'Lower is better, and the criterion decides where a config names it with a threshold. Without, it is measured as in ADK.',
    reason: 'A budget that nothing enforces is exceeded.',
  },
] as const;
