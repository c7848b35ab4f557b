/**
 * The entries of `per_turn_user_simulator_quality_v1` in list A of `docs/adk-parity.md`: where its numbers differ from
 * ADK Python's by default, and why. `compat: 'adk'` gives ADK's numbers.
 */
export const perTurnAdkDifferences = [
  {
    id: 'simulator-majority-of-all-samples',
    title: '`per_turn_user_simulator_quality_v1`: judge samples without an opinion',
    default:
      'A vote needs a majority of all samples: more than half for 1, at least half for 0. If neither can be reached, the turn could not be judged. Sampling stops as soon as no further sample could change the outcome.',
    compat:
      'All samples are requested, and the majority of the readable ones decides, even if only one of five is readable.',
    reason: 'One opinion out of five is not a majority, and a failed call must not simply drop out of a vote.',
  },
  {
    id: 'unjudged-ending',
    title: '`per_turn_user_simulator_quality_v1`: an ending that could not be judged',
    default: 'The last turn could not be judged either, unless its message already scores 0.',
    compat: 'The last turn keeps the score of its message.',
    reason: 'It is unknown whether the ending was right, and a wrong one would turn the score into 0.',
  },
  {
    id: 'simulator-intermediate-responses',
    title: '`include_intermediate_responses_in_final` of `per_turn_user_simulator_quality_v1`',
    default: 'If it is set, the judge sees what agents wrote before their final answer.',
    compat: 'The judge sees only final answers, whatever is set.',
    reason: 'The simulated user saw those texts and may be replying to one of them.',
  },
] as const;
