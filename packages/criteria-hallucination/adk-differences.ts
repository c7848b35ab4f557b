/**
 * Where the numbers of `hallucinations_v1` differ from ADK's, and why: its lines of list A in `docs/adk-parity.md`.
 * `compat: 'adk'` gives ADK's numbers.
 */
export const adkDifferences = [
  {
    id: 'hallucination-samples',
    title: '`num_samples` of `hallucinations_v1`',
    default: 'One validation; where `num_samples` is written, so many, and a vote for every sentence.',
    compat: 'One validation, whatever is written.',
    reason: 'Whoever asks for five opinions wants five.',
  },
  {
    id: 'hallucination-earlier-turns',
    title: 'Earlier turns, as evidence for a sentence',
    default: 'Their messages, tool results and grounding are evidence.',
    compat: 'They are not shown to the judge.',
    reason: 'What a tool said two turns ago is not made up.',
  },
  {
    id: 'hallucination-own-words',
    title: 'What the agent wrote earlier in the turn, as evidence for a sentence',
    default: 'A claim, which supports nothing.',
    compat: 'Evidence like the rest.',
    reason: 'Saying something twice does not make it true.',
  },
  {
    id: 'hallucination-hand-written-steps',
    title: 'Intermediate data in the older form, without events',
    default:
      'Its calls and results are evidence; with `evaluate_intermediate_nl_responses` its texts are judged, each against all of them.',
    compat: 'Left out, as if nothing had happened before the answer.',
    reason: 'A result that was recorded is evidence, in whatever form.',
  },
] as const;
