/**
 * The entries of `hallucinations_v1` in list A of `docs/adk-parity.md`: where its numbers differ from ADK's, and why.
 * `compat: 'adk'` gives ADK's numbers.
 */
export const adkDifferences = [
  {
    id: 'hallucination-samples',
    title: '`num_samples` of `hallucinations_v1`',
    default: 'One validation. If `num_samples` is set, that many, with a vote for every sentence.',
    compat: 'Always one validation.',
    reason: 'If you ask for five opinions, you should get five.',
  },
  {
    id: 'hallucination-earlier-turns',
    title: 'Earlier turns as evidence for a sentence',
    default: 'Their messages, tool results and grounding count as evidence.',
    compat: 'The judge does not see them.',
    reason: 'Something that a tool said two turns ago is not a hallucination.',
  },
  {
    id: 'hallucination-own-words',
    title: "The agent's own earlier text in the turn as evidence for a sentence",
    default: 'It is a claim and supports nothing.',
    compat: 'It is evidence like everything else.',
    reason: 'Saying something twice does not make it true.',
  },
  {
    id: 'hallucination-hand-written-steps',
    title: 'Intermediate data in the older form, without events',
    default:
      'Its calls and results are evidence. With `evaluate_intermediate_nl_responses`, each of its texts is judged against all of them.',
    compat: 'Ignored, as if nothing had happened before the answer.',
    reason: 'A recorded result is evidence in any format.',
  },
] as const;
