/**
 * Where the numbers of these criteria differ from ADK Python's by default, and why: their lines of list A in
 * `docs/adk-parity.md`. `compat: 'adk'` gives ADK's numbers.
 */
export const adkDifferences = [
  {
    id: 'majority-of-all-samples',
    title: 'Samples of a judge that give no opinion',
    default:
      'A vote needs a majority of all samples: more than half for 1, half for 0. Where neither can be reached, nobody could judge. No sample is asked for that cannot change the outcome.',
    compat: 'All samples are asked for, and the majority of the readable ones decides, of five also a single one.',
    reason: 'One opinion of five is no majority, and a failed call must not be left out of a vote.',
  },
  {
    id: 'failed-call',
    title: 'A call to the judge that fails',
    default: 'It is one sample without an opinion; the others are kept.',
    compat: 'The turn has no score, whatever the other samples say.',
    reason: 'What the other samples said is paid for and as good as before.',
  },
  {
    id: 'mean-of-turns',
    title: 'The score of a case by rubrics',
    default: "The exact mean of the turns' means, as ADK's page says.",
    compat: 'The exact mean over all rubrics of all turns, as its code does.',
    reason: 'A turn must not weigh more because more rubrics could be judged in it.',
  },
  {
    id: 'no-expected-answer-judged',
    title: '`final_response_match_v2`: a turn without an expected answer',
    default: 'Not applicable: the turn leaves the mean, and is counted beside it.',
    compat: 'Judged against an empty reference.',
    reason: 'The case says nothing of the answer, so that no answer can be wrong.',
  },
  {
    id: 'question-asked',
    title: '`final_response_match_v2`: the question that the judge sees',
    default: 'What the user asked in this conversation.',
    compat: 'What the user asks in the reference.',
    reason: 'An answer answers what was asked.',
  },
  {
    id: 'earlier-turns',
    title: 'Rubrics of a turn: the turns before it',
    default: 'The judge sees them.',
    compat: 'It does not.',
    reason: '"And tomorrow?" can only be judged by who knows what was asked before.',
  },
  {
    id: 'claims',
    title: "Rubrics of an answer: the agent's own words on the way",
    default: "The judge sees them among the steps, marked as the agent's claims.",
    compat: 'It sees tool calls and their results only.',
    reason: 'Rubrics may speak of them; and what an agent says of its work does not prove it.',
  },
] as const;
