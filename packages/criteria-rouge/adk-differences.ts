/**
 * Where the numbers of `response_match_score` differ from ADK's, and why: its lines of list A in `docs/adk-parity.md`.
 * `compat: 'adk'` gives ADK's numbers.
 */
export const adkDifferences = [
  {
    id: 'thoughts',
    title: 'Thoughts are no part of an answer',
    default: 'Parts marked `thought` are left out of both answers.',
    compat: 'Their text counts like any other.',
    reason: 'Nobody but the model reads its thoughts: an agent must neither gain nor lose by them.',
  },
  {
    id: 'no-expected-answer',
    title: 'A turn without an expected answer',
    default: 'Not applicable: the turn leaves the mean, and is counted beside it.',
    compat: 'Scored 0, whatever the agent answered.',
    reason: 'The case says nothing of the answer, so that no answer can be wrong.',
  },
  {
    id: 'no-words',
    title: 'An expected answer without a letter or digit, as a lone emoji',
    default:
      'The same answer scores 1; of any other answer it is said that it could not be judged. No answer scores 0.',
    compat: 'Scored 0 also against itself; but 1 against another emoji, where both end in the same invisible mark.',
    reason: 'ROUGE counts words, and there is none: what it says of such a text says nothing of the answer.',
  },
  {
    id: 'exact-mean',
    title: 'The mean of the turns',
    default: 'Exact, rounded once.',
    compat: 'Summed from the first turn to the last, then divided.',
    reason: 'The order of turns must not change a score.',
  },
] as const;
