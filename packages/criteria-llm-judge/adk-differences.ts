/**
 * The entries of these criteria in list A of `docs/adk-parity.md`: where their numbers differ from ADK Python's by
 * default, and why. `compat: 'adk'` gives ADK's numbers.
 */
export const adkDifferences = [
  {
    id: 'majority-of-all-samples',
    title: 'Judge samples without an opinion',
    default:
      'A vote needs a majority of all samples: more than half for 1, at least half for 0. If neither can be reached, the turn could not be judged. Sampling stops as soon as no further sample could change the outcome.',
    compat:
      'All samples are requested, and the majority of the readable ones decides, even if only one of five is readable.',
    reason: 'One opinion out of five is not a majority, and a failed call must not simply drop out of a vote.',
  },
  {
    id: 'failed-call',
    title: 'A call to the judge that fails',
    default: 'It counts as one sample without an opinion. The others are kept.',
    compat: 'The turn has no score, whatever the other samples say.',
    reason: 'The other samples are paid for, and still valid.',
  },
  {
    id: 'mean-of-turns',
    title: 'The rubric score of a case',
    default: "The exact mean of the turns' means, as ADK's documentation says.",
    compat: "The exact mean over all rubrics of all turns, as ADK's code computes it.",
    reason: 'A turn must not weigh more because more rubrics could be judged in it.',
  },
  {
    id: 'no-expected-answer-judged',
    title: '`final_response_match_v2`: a turn without an expected answer',
    default: 'Not applicable: the turn does not count towards the mean, and the number of such turns is shown.',
    compat: 'Judged against an empty reference.',
    reason: 'The case does not say what the answer should be, so no answer can be wrong.',
  },
  {
    id: 'question-asked',
    title: '`final_response_match_v2`: the question that the judge sees',
    default: 'What the user asked in this conversation.',
    compat: 'What the user asks in the reference.',
    reason: 'The agent answered the question that it was asked.',
  },
  {
    id: 'earlier-turns',
    title: 'Rubrics of a turn: earlier turns',
    default: 'The judge sees them.',
    compat: 'It does not.',
    reason: 'An answer to "And tomorrow?" can only be judged by someone who knows what was asked before.',
  },
  {
    id: 'claims',
    title: "Rubrics of an answer: the agent's own words before it",
    default: "The judge sees them among the steps, marked as the agent's claims.",
    compat: 'The judge sees only tool calls and their results.',
    reason: 'Rubrics may refer to them, but what an agent says about its work does not prove anything.',
  },
] as const;
