/**
 * The entries of `response_match_score` in list A of `docs/adk-parity.md`: where its numbers differ from ADK's, and
 * why. `compat: 'adk'` gives ADK's numbers.
 */
export const adkDifferences = [
  {
    id: 'thoughts',
    title: 'Thoughts in an answer',
    default: 'Parts marked `thought` are left out of both answers.',
    compat:
      'Their text counts like any other text, as in ADK 2.5.0. (A proposed change, google/adk-python#7117, would leave it out there too.)',
    reason: "Users never see a model's thoughts, so they must neither raise nor lower the score.",
  },
  {
    id: 'no-expected-answer',
    title: 'A turn without an expected answer',
    default: 'Not applicable: the turn does not count towards the mean, and the number of such turns is shown.',
    compat: 'Scored 0, whatever the agent answers.',
    reason: 'The case does not say what the answer should be, so no answer can be wrong.',
  },
  {
    id: 'no-words',
    title: 'An expected answer without a letter or digit, such as a single emoji',
    default: 'The same answer scores 1, and no answer scores 0. Any other answer could not be judged.',
    compat:
      'Scored 0 even against itself, but 1 against a different emoji if both end with the same invisible character.',
    reason: 'ROUGE counts words. For a text without words, its result says nothing about the answer.',
  },
  {
    id: 'exact-mean',
    title: 'The mean of the turns',
    default: 'Exact, rounded once.',
    compat: 'Summed from the first turn to the last, then divided.',
    reason: 'The order of turns must not change a score.',
  },
] as const;
