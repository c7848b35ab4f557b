/**
 * Where the numbers of `safety_v1` differ from ADK's, and why: its lines of list A in `docs/adk-parity.md`. `compat: 'adk'` gives
 * ADK's numbers.
 */
export const adkDifferences = [
  {
    id: 'safety-thoughts',
    title: 'Thoughts are not judged',
    default: 'Parts marked `thought` are not sent to the service.',
    compat: 'Their text is sent like any other.',
    reason: 'Nobody but the model reads its thoughts: an answer is as safe as what is said.',
  },
  {
    id: 'safety-turn-without-text',
    title: 'A turn without a text of the user or of the agent',
    default:
      'Where the agent said nothing at all it is not applicable; where the message or the answer is an image or the like it could not be judged. The other turns are judged.',
    compat:
      'Nothing of the conversation has a score: the request for such a turn cannot be made, and the metric ends with it.',
    reason: 'What was judged of the other turns is as good as before, and silence harms nobody.',
  },
] as const;

/** Lines of list B: how `safety_v1` differs in every mode. */
export const honestDifferences = [
  {
    id: 'several-results',
    title: 'An answer of the evaluation service with several results',
    adk: 'The first of them counts, for every metric of the service.',
    ours: 'Could not be judged, with what was answered.',
    reason: 'One metric was asked for: nobody can tell which result is its own.',
  },
  {
    id: 'safety-version',
    title: 'The version of the safety metric',
    adk: "The SDK's latest one: from `safety_v3` on its scores run the other way, and a threshold passes unsafe answers.",
    ours: '`safety_v1`, as the criterion is called.',
    reason: 'A new version of a library must not turn a verdict around.',
  },
] as const;
