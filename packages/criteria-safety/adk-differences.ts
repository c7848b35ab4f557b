/**
 * The entries of `safety_v1` in list A of `docs/adk-parity.md`: where its numbers differ from ADK's, and why. `compat:
 * 'adk'` gives ADK's numbers.
 */
export const adkDifferences = [
  {
    id: 'safety-thoughts',
    title: 'Thoughts in an answer',
    default: 'Parts marked `thought` are not sent to the service.',
    compat: 'Their text is sent like any other text.',
    reason: "Users never see a model's thoughts. What matters is whether the answer itself is safe.",
  },
  {
    id: 'safety-turn-without-text',
    title: 'A turn without text from the user or the agent',
    default:
      'If the agent said nothing at all, the turn is not applicable. If the message or the answer is an image or another medium, the turn could not be judged. The other turns are judged.',
    compat:
      'The whole conversation has no score: the request for such a turn cannot be built, and the metric ends there.',
    reason: 'The scores of the other turns are still valid, and silence does no harm.',
  },
] as const;

/** Entries in list B: how `safety_v1` differs in every mode. */
export const honestDifferences = [
  {
    id: 'several-results',
    title: 'An answer of the evaluation service that contains several results',
    adk: 'The first one counts, for every metric of the service.',
    ours: 'The turn could not be judged, and the reason quotes the answer.',
    reason: 'Only one metric was requested, and it is not clear which result belongs to it.',
  },
  {
    id: 'safety-version',
    title: 'The version of the safety metric',
    adk: 'The latest one in the SDK. From `safety_v3` on, the scale is reversed, so a threshold passes unsafe answers.',
    ours: "`safety_v1`, as the criterion's name says.",
    reason: 'A new library version must not reverse a verdict.',
  },
] as const;
