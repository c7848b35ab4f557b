/**
 * Where the numbers of `per_turn_user_simulator_quality_v1` differ from ADK Python's by default, and why: its lines of list
 * A in `docs/adk-parity.md`. `compat: 'adk'` gives ADK's numbers.
 */
export const perTurnAdkDifferences = [
  {
    id: 'simulator-majority-of-all-samples',
    title: '`per_turn_user_simulator_quality_v1`: samples of a judge that give no opinion',
    default:
      'A vote needs a majority of all samples: more than half for 1, half for 0. Where neither can be reached, nobody could judge. No sample is asked for that cannot change the outcome.',
    compat: 'All samples are asked for, and the majority of the readable ones decides, of five also a single one.',
    reason: 'One opinion of five is no majority, and a failed call must not be left out of a vote.',
  },
  {
    id: 'unjudged-ending',
    title: '`per_turn_user_simulator_quality_v1`: an ending that could not be judged',
    default: 'The last turn could not be judged either, unless its message scores 0 already.',
    compat: 'The last turn keeps the score of its message.',
    reason: 'Nobody knows whether the ending was right, and it can turn that score into 0.',
  },
  {
    id: 'simulator-intermediate-responses',
    title: '`include_intermediate_responses_in_final` of `per_turn_user_simulator_quality_v1`',
    default: 'Where it is written, the judge sees what agents wrote on their way to an answer.',
    compat: 'The judge sees final answers alone, whatever is written.',
    reason: 'The simulated user saw those texts, and may well answer one of them.',
  },
] as const;
